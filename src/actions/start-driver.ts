import { type DriverOutcome, startDriver as start } from '../lib/act/start-driver.ts';
import { type Handler, type Output, print } from '../lib/cli/output.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import { reservedWord } from '../lib/decide/spawn-plan.ts';
import { EXIT, type ExitCode, FleetError } from '../lib/errors.ts';
import { isTaskName } from '../lib/store/task-files.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { boardInput, folderOf, kindOf, readBriefInput } from './driver-input.ts';

export const DRIVER_WAIT_MS = 90_000;

/** `start-driver TASK`. */
export const startDriver: Handler = async (context, invocation, output) => {
  const [task = '', ...args] = invocation.args;
  const { cwd, brief, acceptance, kind, name, title, wait } = invocation.options;
  if (!isTaskName(task)) throw new FleetError(EXIT.usage, `${safeText(task, 60)} can be no task’s name`);
  if (typeof brief !== 'string') throw new FleetError(EXIT.usage, '--brief is needed', { field: 'brief' });
  const reserved = reservedWord(args);
  if (reserved !== undefined)
    throw new FleetError(EXIT.usage, `${safeText(reserved, 60)} can’t be given to claude here`);
  const board = typeof acceptance === 'string' ? boardInput(acceptance) : undefined;
  const outcome = await start(context, {
    task,
    by: 'start-driver',
    cwd: folderOf(typeof cwd === 'string' ? cwd : process.cwd()),
    kind: kindOf(kind) ?? 'background',
    args,
    name: typeof name === 'string' ? name : undefined,
    title: typeof title === 'string' ? title : undefined,
    brief: readBriefInput(brief),
    board,
    waitMs: typeof wait === 'number' ? wait : DRIVER_WAIT_MS,
  });
  return sayOutcome('start-driver', task, outcome, invocation, output);
};

/** Prints what came of a start, and gives its exit code. */
export function sayOutcome(
  command: 'start-driver' | 'driver-kickoff',
  task: string,
  outcome: DriverOutcome,
  invocation: Invocation,
  output: Output,
): ExitCode {
  const started = outcome.kind === 'started' ? outcome.started : undefined;
  const failed = outcome.kind === 'failed' ? outcome.started : undefined;
  const words =
    outcome.kind === 'refused'
      ? `not admitted: ${outcome.why}`
      : failed !== undefined
        ? `failed start: ${failed.why}${failed.stillThere ? '; it could not be let go and is still there' : ''}`
        : outcome.kind === 'started' && outcome.recovered
          ? 'started by an earlier, interrupted call'
          : 'started';
  const document = {
    schema: `session-fleet.${command}.v1`,
    task,
    result: outcome.kind,
    words,
    sessionId: started?.sessionId ?? null,
    shortId: started?.shortId ?? null,
    name: started?.name ?? null,
    pid: started?.pid ?? null,
    pane: started?.pane ?? null,
    recovered: outcome.kind === 'started' && outcome.recovered,
    excerpt: failed?.excerpt ?? null,
  };
  if (started !== undefined) {
    const where = started.shortId === undefined ? (started.pane ?? '') : `claude attach ${started.shortId}`;
    print(
      output,
      invocation,
      document,
      invocation.quiet
        ? ''
        : `${task}: ${words}: session ${started.sessionId} (${safeText(started.name, 80)}), process ${started.pid}${where === '' ? '' : `, ${where}`}`,
    );
    return EXIT.done;
  }
  if (invocation.json) print(output, invocation, document, '');
  else {
    const excerpt =
      failed === undefined || failed.excerpt === ''
        ? ''
        : `${failed.excerpt
            .split('\n')
            .map((line) => `  | ${line}`)
            .join('\n')}\n`;
    output.err(`${command}: ${task}: ${words}\n${excerpt}`);
  }
  return outcome.kind === 'refused' ? outcome.exitCode : EXIT.internal;
}
