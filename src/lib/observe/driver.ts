import { no, type Reading, unknown, yes } from '../reading.ts';
import type { Task } from '../store/task-schema.ts';
import type { Fleet } from './fleet.ts';

/**
 * Whether a task's Driver lives: by session id in the roster, by the very process the task saw last (its id changes with
 * /clear), and by any process that was started under its id. No only when roster and processes were both read.
 */
export function driverReading(task: Pick<Task, 'driverSid' | 'driverSeen'>, fleet: Fleet): Reading {
  const { driverSid, driverSeen } = task;
  if (!fleet.processes.ok) return unknown('processes', fleet.processes.why);
  const seen = driverSeen === undefined ? undefined : fleet.processes.value.alive(driverSeen.pid);
  if (seen !== undefined && seen.procStart === driverSeen?.procStart)
    return yes('processes', `process ${seen.pid} that it was seen as runs`);
  if (!fleet.roster.rows.ok) return unknown('roster', fleet.roster.rows.why);
  if (driverSid === undefined) return no('tasks', 'it has had no Driver');
  const own = fleet.joined?.sessions.find((session) => session.sessionId === driverSid);
  if (own !== undefined) return yes('roster, processes', `session ${driverSid} runs as process ${own.pid}`);
  const [pid] = processesNaming([driverSid], fleet);
  if (pid !== undefined) return yes('processes', `process ${pid} was started under its id`);
  return no('roster, processes', `no process of session ${driverSid}`);
}

/** Processes (not our own) among whose words is one of these: starts that are under way, or sessions under that id. */
export function processesNaming(words: readonly string[], fleet: Fleet): number[] {
  if (!fleet.processes.ok) return [];
  const { value: table } = fleet.processes;
  const own = new Set([process.pid, ...table.ancestors(process.pid)]);
  return [...table.byPid.keys()].filter(
    (pid) => !own.has(pid) && table.argv(pid)?.some((word) => words.includes(word)),
  );
}
