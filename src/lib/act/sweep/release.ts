import { stopLanes } from '../../store/lanes.ts';
import { changeTask, type Deed, event, isoNow, type Outcome, stillTerminal } from './deed.ts';

/** Lets go of a terminal task: its check-ins end with it, its session stays (ADR 0010, "releases.ts rule 3"). */
export async function release(deed: Deed): Promise<Outcome> {
  await changeTask(
    deed,
    (now) => stillTerminal(now) ?? (now.releasedAt === undefined ? undefined : 'it is released'),
    (document) => {
      document.releasedAt = isoNow();
    },
  );
  const { driverSid } = deed.task.record.task;
  const lanes = driverSid === undefined ? [] : await stopLanes(deed.context.places, { sid: driverSid });
  event(deed, 'released', { state: deed.plan.facts.state, lanes });
  const words = `${deed.plan.release.words}${lanes.length > 0 ? `; lanes stopped: ${lanes.join(', ')}` : ''}`;
  return { task: deed.plan.name, rule: 'release', kind: 'release', result: 'done', words };
}
