import type { StartPreview } from '../lib/act/preview-start.ts';
import { type DriverOutcome, type DriverRequest, startDriver as start } from '../lib/act/start-driver.ts';
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
  const { cwd, brief, acceptance, kind, name, title, wait, dryRun } = invocation.options;
  if (!isTaskName(task)) throw new FleetError(EXIT.usage, `${safeText(task, 60)} can be no task’s name`);
  if (typeof brief !== 'string') throw new FleetError(EXIT.usage, '--brief is needed', { field: 'brief' });
  const reserved = reservedWord(args);
  if (reserved !== undefined)
    throw new FleetError(EXIT.usage, `${safeText(reserved, 60)} can’t be given to claude here`);
  const board = typeof acceptance === 'string' ? boardInput(acceptance) : undefined;
  const request: DriverRequest = {
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
  };
  if (dryRun === true) {
    const { previewDriver } = await import('../lib/act/preview-start.ts');
    return sayPreview('start-driver', task, await previewDriver(context, request), invocation, output);
  }
  return sayOutcome('start-driver', task, await start(context, request), invocation, output);
};

type Starter = 'start-driver' | 'driver-kickoff';

/** Prints what would come of a start, and gives the exit code that it would have. */
export function sayPreview(
  command: Starter,
  task: string,
  preview: StartPreview,
  invocation: Invocation,
  output: Output,
): ExitCode {
  const { result, words, exitCode, kind, cwd, resumes, answers } = preview;
  const document = {
    ...documentOf(command, task, result, words),
    dryRun: true,
    plan: {
      kind,
      cwd,
      resumes: resumes ?? null,
      answers: answers.map(({ question, folder = null, file = null }) => ({ question, folder, file })),
    },
  };
  if (invocation.json) print(output, invocation, document, '');
  else if (exitCode !== EXIT.done) output.err(`${command}: ${task}: ${words}\n`);
  else if (!invocation.quiet) output.out(`${previewText(task, preview)}\n`);
  return exitCode;
}

function previewText(task: string, { result, words, kind, cwd, resumes, answers }: StartPreview): string {
  const first = `${task}: ${words}`;
  if (result !== 'would-start') return first;
  const conversation = resumes === undefined ? 'a new conversation' : `the conversation of ${resumes}`;
  const lines = [first, `  session  ${kind}, ${conversation}, in ${safeText(cwd, 160)}`];
  for (const { question, folder, file } of answers) {
    const about = folder === undefined ? '' : ` ${safeText(folder, 120)}`;
    lines.push(`  answers  ${question}${about} (${file === undefined ? 'for this start alone' : safeText(file, 120)})`);
  }
  return lines.join('\n');
}

function documentOf(command: Starter, task: string, result: string, words: string) {
  return {
    schema: `session-fleet.${command}.v1`,
    dryRun: false,
    task,
    result,
    words,
    sessionId: null as string | null,
    shortId: null as string | null,
    name: null as string | null,
    pid: null as number | null,
    pane: null as string | null,
    recovered: false,
    excerpt: null as string | null,
    plan: null as object | null,
  };
}

/** Prints what came of a start, and gives its exit code. */
export function sayOutcome(
  command: Starter,
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
    ...documentOf(command, task, outcome.kind, words),
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
