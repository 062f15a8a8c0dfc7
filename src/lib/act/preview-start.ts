import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { identityFor } from '../decide/spawn-identity.ts';
import { type EarlierStart, type PreviewVerdict, previewStart } from '../decide/start-preview.ts';
import { boundedRun, failureOf } from '../observe/bounded-run.ts';
import { takeCensus } from './census.ts';
import { earlierKickoff, existingTask, type KickoffRequest, planKickoff, startOf } from './driver-kickoff.ts';
import { type BeforehandAnswer, beforehandAnswers } from './spawn/beforehand.ts';
import { lookForRemains } from './spawn/recover.ts';
import { expectedOf } from './spawn/start.ts';
import type { Start } from './spawn/start-request.ts';
import { lookForStart } from './spawn/verify.ts';
import { cantTell, type DriverRequest, earlierStart, firstStart, spawnLocked } from './start-driver.ts';

/** What a start would come to, and how it would be made. */
export interface StartPreview extends PreviewVerdict {
  kind: Start['kind'];
  cwd: string;
  /** The session whose conversation it would continue. */
  resumes: string | undefined;
  /** What Claude Code would ask, and is answered before it can. */
  answers: BeforehandAnswer[];
}

/** What startDriver would do now, changing nothing. Throws what it would throw. */
export async function previewDriver(given: Context, request: DriverRequest): Promise<StartPreview> {
  const context: Context = { ...given, traceless: true };
  refuseIfLocked(context, request.task);
  const earlier = earlierStart(context, request);
  const left = await leftBy(context, earlier);
  if (earlier !== undefined && left.kind !== 'none') return verdictOf(context, earlier, left);
  return verdictOf(context, firstStart(request, identityFor(request.task, randomUUID(), request.name)), left);
}

/** What kickOff would do now, changing nothing. Throws what it would throw. */
export async function previewKickoff(given: Context, request: KickoffRequest): Promise<StartPreview> {
  const context: Context = { ...given, traceless: true };
  refuseIfLocked(context, request.task);
  const record = existingTask(context, request.task);
  const earlier = earlierKickoff(context, request, record.task);
  const left = await leftBy(context, earlier);
  if (earlier !== undefined && left.kind !== 'none') return verdictOf(context, earlier, left);
  const { intent, prompt } = await planKickoff(context, request, record);
  return verdictOf(context, startOf(request, record.task, intent, prompt), left);
}

function refuseIfLocked(context: Context, task: string): void {
  const locked = spawnLocked(context, task);
  if (locked !== undefined) throw locked;
}

async function leftBy(context: Context, earlier: Start | undefined): Promise<EarlierStart> {
  if (earlier === undefined) return { kind: 'none' };
  const remains = await lookForRemains(context, earlier);
  if (remains.kind === 'unreadable') throw cantTell(earlier, remains.why);
  if (remains.kind === 'nothing') return { kind: 'none' };
  if (remains.kind === 'under-way') return { kind: 'under-way' };
  const { verified, dead, dialog, otherMessage } = await lookForStart(context, expectedOf(earlier, undefined));
  if (verified?.ok) return { kind: 'runs', sessionId: verified.sessionId };
  if (dead) return { kind: 'failed', why: 'its process has ended' };
  if (dialog !== undefined) return { kind: 'failed', why: `it stands on a dialog: ${dialog}` };
  return otherMessage === undefined
    ? { kind: 'under-way' }
    : { kind: 'failed', why: 'its first message is not the brief' };
}

async function verdictOf(context: Context, start: Start, earlier: EarlierStart): Promise<StartPreview> {
  const { kind, cwd, resume } = start;
  const fresh = earlier.kind === 'none';
  const admission = fresh ? (await takeCensus(context)).decision : undefined;
  const admitted = admission?.kind === 'admit';
  // In its order: without a slot nothing is answered, and a state file that can't be used is not met.
  const answers = admitted ? await beforehandAnswers(context, start) : [];
  const cannotSpawn = admitted && kind === 'interactive' ? await tmuxMissing(context) : undefined;
  const verdict = previewStart({ earlier, admission, cannotSpawn });
  return { ...verdict, kind, cwd, resumes: resume?.sessionId, answers };
}

/** Why tmux can't be run; starts no server. */
async function tmuxMissing({ env }: Context): Promise<string | undefined> {
  return failureOf(await boundedRun(env.FLEET_TMUX || 'tmux', ['-V'], { timeoutMs: 5000, env }), 'tmux');
}
