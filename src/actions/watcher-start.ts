import { userInfo } from 'node:os';
import { embeddedId, isOthers } from '../lib/act/watcher/embedded.ts';
import { startEmbedded, stopEmbedded, type WatcherChange } from '../lib/act/watcher/embedded-control.ts';
import { type Handler, type Output, print } from '../lib/cli/output.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import { taskNamed } from '../lib/cli/task-argument.ts';
import type { Context } from '../lib/context.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { readHeartbeat } from '../lib/store/heartbeat.ts';
import { taskFolder } from '../lib/store/task-folder.ts';
import { TERMINAL_STATES } from '../lib/store/task-schema.ts';
import { safeText } from '../lib/words/safe-text.ts';

type Engine = 'embedded' | 'temporal';

/** `task-watcher start TASK`. */
export const watcherStart: Handler = async (context, invocation, output) => {
  const { name, task } = taskNamed(context.places.tasksDir, invocation.args[0] ?? '');
  if (TERMINAL_STATES.has(task.state)) throw new FleetError(EXIT.guard, `task ${name} is ${task.state}`);
  const engine = engineOf(invocation) ?? configured(context);
  const change =
    engine === 'temporal'
      ? await (await import('../lib/temporal/client.ts')).startWatcher(context, name)
      : await startEmbedded(context, name, embeddedId(name));
  return say('start', name, engine, change, invocation, output);
};

/** `task-watcher stop TASK`. */
export const watcherStop: Handler = async (context, invocation, output) => {
  const { name } = taskNamed(context.places.tasksDir, invocation.args[0] ?? '');
  const beat = readHeartbeat(taskFolder(context.places, name));
  const watching = isOthers(beat, Date.now(), Number.POSITIVE_INFINITY) ? 'temporal' : undefined;
  const engine = engineOf(invocation) ?? watching ?? configured(context);
  const change =
    engine === 'temporal'
      ? await (await import('../lib/temporal/client.ts')).stopWatcher(context, name)
      : await stopEmbedded(context, name, embeddedId(name), userInfo().username);
  return say('stop', name, engine, change, invocation, output);
};

function configured({ policy }: Context): Engine {
  return policy.watcher.temporal.address === undefined ? 'embedded' : 'temporal';
}

function engineOf({ options }: Invocation): Engine | undefined {
  const { engine } = options;
  if (engine === undefined || engine === 'embedded' || engine === 'temporal') return engine;
  throw new FleetError(EXIT.usage, '--engine is embedded or temporal', { field: 'engine' });
}

function say(
  action: 'start' | 'stop',
  task: string,
  engine: Engine,
  { workflowId, changed, words }: WatcherChange,
  invocation: Invocation,
  output: Output,
) {
  const document = { schema: `session-fleet.task-watcher.${action}.v1`, task, engine, workflowId, changed, words };
  print(
    output,
    invocation,
    document,
    invocation.quiet ? '' : `${safeText(task, 60)}: ${words} (${safeText(workflowId, 200)})`,
  );
  return EXIT.done;
}
