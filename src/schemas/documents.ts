import * as z from 'zod';
import { admit, expire, log, reap, release, report, sample, status } from './cap-documents.ts';
import { claimAcquire, claimChange, claimFinalize, claimList, claimReap, runResult } from './claim-documents.ts';
import { checkin, doctor } from './doctor-documents.ts';
import { laneArm, laneList, laneStop, laneTick } from './lane-documents.ts';
import { ledgerAnswer, ledgerList, ledgerRaise, ledgerServe, ledgerShow } from './ledger-documents.ts';
import { scheduleChange, schedulePrint, scheduleStatus } from './schedule-documents.ts';
import { exit, msgInbox, msgSend } from './session-documents.ts';
import { sweep } from './sweep-documents.ts';
import { driver, taskList, taskPath, taskShow, taskValidate } from './task-documents.ts';
import { watcherChange, watcherStatus, watcherTick } from './watcher-documents.ts';

/**
 * The documents that commands print under --json. They are an API: within a version fields are only added; a field that
 * goes or changes its meaning makes a new version. Sizes are bytes, times ISO 8601 UTC, durations ms; null is "not known".
 */

const error = z.strictObject({
  schema: z.literal('session-fleet.error.v1'),
  command: z.string(),
  exitCode: z.int(),
  message: z.string(),
  file: z.string().optional(),
  field: z.string().optional(),
});

/** Every document by the name in its `schema` field. */
export const DOCUMENTS: Readonly<Record<string, z.ZodType>> = {
  'session-fleet.error.v1': error,
  'session-fleet.session-cap.status.v1': status,
  'session-fleet.session-cap.admit.v1': admit,
  'session-fleet.session-cap.release.v1': release,
  'session-fleet.session-cap.log.v1': log,
  'session-fleet.session-cap.reap.v1': reap,
  'session-fleet.session-cap.expire.v1': expire,
  'session-fleet.session-cap.sample.v1': sample,
  'session-fleet.session-cap.report.v1': report,
  'session-fleet.session-exit.v1': exit,
  'session-fleet.task-file.show.v1': taskShow,
  'session-fleet.task-file.list.v1': taskList,
  'session-fleet.task-file.validate.v1': taskValidate,
  'session-fleet.task-file.path.v1': taskPath,
  'session-fleet.session-msg.send.v1': msgSend,
  'session-fleet.session-msg.inbox.v1': msgInbox,
  'session-fleet.decision-ledger.list.v1': ledgerList,
  'session-fleet.decision-ledger.show.v1': ledgerShow,
  'session-fleet.decision-ledger.answer.v1': ledgerAnswer,
  'session-fleet.decision-ledger.raise.v1': ledgerRaise,
  'session-fleet.decision-ledger.serve.v1': ledgerServe,
  'session-fleet.start-driver.v1': driver('session-fleet.start-driver.v1'),
  'session-fleet.driver-kickoff.v1': driver('session-fleet.driver-kickoff.v1'),
  'session-fleet.supervisor-sweep.v1': sweep,
  'session-fleet.task-watcher.tick.v1': watcherTick,
  'session-fleet.task-watcher.status.v1': watcherStatus,
  'session-fleet.task-watcher.start.v1': watcherChange('session-fleet.task-watcher.start.v1'),
  'session-fleet.task-watcher.stop.v1': watcherChange('session-fleet.task-watcher.stop.v1'),
  'session-fleet.fleet-schedule.print.v1': schedulePrint,
  'session-fleet.fleet-schedule.change.v1': scheduleChange,
  'session-fleet.fleet-schedule.status.v1': scheduleStatus,
  'session-fleet.task-claim.acquire.v1': claimAcquire,
  'session-fleet.task-claim.change.v1': claimChange,
  'session-fleet.task-claim.finalize.v1': claimFinalize,
  'session-fleet.task-claim.list.v1': claimList,
  'session-fleet.task-claim.reap.v1': claimReap,
  'session-fleet.session-run.result.v1': runResult,
  'session-fleet.watcher-doctor.v1': doctor,
  'session-fleet.watcher-doctor.checkin.v1': checkin,
  'session-fleet.lane-nudge.arm.v1': laneArm,
  'session-fleet.lane-nudge.stop.v1': laneStop,
  'session-fleet.lane-nudge.list.v1': laneList,
  'session-fleet.lane-nudge.tick.v1': laneTick,
};

/** The JSON schema of a document. Readers must take fields they do not know, so none is closed. */
export function schemaOf(name: string): Record<string, unknown> {
  const document = DOCUMENTS[name];
  if (document === undefined) throw new Error(`no document ${name}`);
  const { $schema, ...schema } = z.toJSONSchema(document) as Record<string, unknown>;
  return { $schema, title: name, ...open(schema) };
}

function open(value: unknown): Record<string, unknown> {
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).flatMap(([key, inner]) =>
        key === 'additionalProperties' && inner === false ? [] : [[key, walk(inner)]],
      ),
    );
  };
  return walk(value) as Record<string, unknown>;
}
