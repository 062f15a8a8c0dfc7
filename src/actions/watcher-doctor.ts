import { checkinOf } from '../lib/act/sweep/checkin.ts';
import { type Handler, type Output, print } from '../lib/cli/output.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import { taskNamed } from '../lib/cli/task-argument.ts';
import type { Context } from '../lib/context.ts';
import type { Finding } from '../lib/doctor/finding.ts';
import { EXIT, type ExitCode, messageOf } from '../lib/errors.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** Why a check-in that a person asks for comes. */
const ASKED = 'You have been quiet, and so have your sub-agents.';

/** `watcher-doctor`. */
export const watcherDoctor: Handler = async (context, invocation, output) => {
  const { checkinText, fix } = invocation.options;
  if (typeof checkinText === 'string') return checkin(context, checkinText, invocation, output);
  const { examine } = await import('../lib/doctor/examine.ts');
  const findings = await examine(context);
  const fixed = fix === true ? await mend(findings) : [];
  const left = findings.filter(({ level }, at) => level !== 'ok' && !fixed.some((one) => one.at === at && one.done));
  const document = {
    schema: 'session-fleet.watcher-doctor.v1',
    healthy: left.length === 0,
    findings: findings.map(({ check, level, task, words, means, mend: command, fix: safe }, at) => {
      const repair = fixed.find((one) => one.at === at);
      return {
        check,
        level,
        task: task ?? null,
        words,
        means: means ?? null,
        mend: command ?? null,
        fixable: safe !== undefined,
        fixed: repair?.done ?? false,
        fixWords: repair?.words ?? null,
      };
    }),
  };
  print(output, invocation, document, textOf(findings, fixed, invocation.quiet));
  return left.length === 0 ? EXIT.done : EXIT.finding;
};

/** The canonical check-in of a task, as its Driver is told it. */
function checkin(context: Context, task: string, invocation: Invocation, output: Output): ExitCode {
  const record = taskNamed(context.places.tasksDir, task);
  const text = checkinOf(context, record, ASKED);
  print(output, invocation, { schema: 'session-fleet.watcher-doctor.checkin.v1', task, text }, text);
  return EXIT.done;
}

interface Repair {
  at: number;
  done: boolean;
  words: string;
}

async function mend(findings: readonly Finding[]): Promise<Repair[]> {
  const repairs: Repair[] = [];
  for (const [at, { fix }] of findings.entries()) {
    if (fix === undefined) continue;
    try {
      repairs.push({ at, done: true, words: await fix() });
    } catch (error) {
      repairs.push({ at, done: false, words: messageOf(error) });
    }
  }
  return repairs;
}

const LEVEL_WORDS = { ok: 'ok     ', wrong: 'FAILED ', unknown: 'unknown' };

function textOf(findings: readonly Finding[], fixed: readonly Repair[], quiet: boolean): string {
  const lines = findings.flatMap(({ check, level, task, words, means, mend: command }, at) => {
    if (quiet && level === 'ok') return [];
    const where = task === undefined ? '' : `${safeText(task, 60)}: `;
    const head = `${LEVEL_WORDS[level]} ${check.padEnd(9)} ${where}${safeText(words, 300)}`;
    if (level === 'ok') return [head];
    const repair = fixed.find((one) => one.at === at);
    const mended =
      repair === undefined
        ? `mend: ${safeText(command ?? '', 300)}`
        : `${repair.done ? 'mended' : 'not mended'}: ${safeText(repair.words, 300)}`;
    return [head, `                  ${safeText(means ?? '', 300)}`, `                  ${mended}`];
  });
  return lines.join('\n');
}
