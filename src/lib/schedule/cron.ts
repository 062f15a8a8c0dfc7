import { type Entry, type Plan, shWord } from './entries.ts';

const begin = (fleetHome: string) => `# BEGIN session-fleet ${fleetHome}`;
const end = (fleetHome: string) => `# END session-fleet ${fleetHome}`;

export type CrontabEdit = { ok: true; text: string; changed: boolean } | { ok: false; why: string };

/** The lines of this fleet in a crontab. In a crontab `%` is a new line, unless it is escaped. */
export function cronBlock({ entries, runner, fleetHome }: Plan): string {
  const lines = entries.map(
    ({ name, everySeconds }) =>
      `${scheduleOf(everySeconds)} ${`${shWord(runner)} ${name}`.replaceAll('%', '\\%')} >/dev/null 2>&1`,
  );
  return [begin(fleetHome), ...lines, end(fleetHome)].join('\n');
}

function scheduleOf(everySeconds: Entry['everySeconds']): string {
  const minutes = Math.max(1, Math.round(everySeconds / 60));
  return minutes === 1 ? '* * * * *' : `*/${minutes} * * * *`;
}

/** A crontab with this fleet's block in it, or (`undefined`) without; every other byte stays. */
export function withBlock(crontab: string, fleetHome: string, block: string | undefined): CrontabEdit {
  const first = indexOfLine(crontab, begin(fleetHome));
  const last = indexOfLine(crontab, end(fleetHome));
  if (first < 0 !== last < 0 || last < first)
    return { ok: false, why: 'its session-fleet lines have lost their begin or end' };
  if (first < 0) {
    if (block === undefined) return { ok: true, text: crontab, changed: false };
    const gap = crontab === '' || crontab.endsWith('\n') ? '' : '\n';
    return { ok: true, text: `${crontab}${gap}${block}\n`, changed: true };
  }
  const behind = last + end(fleetHome).length;
  const rest = crontab.slice(behind);
  const text =
    block === undefined
      ? `${crontab.slice(0, first)}${rest.replace(/^\n/, '')}`
      : `${crontab.slice(0, first)}${block}${rest}`;
  return { ok: true, text, changed: text !== crontab };
}

function indexOfLine(text: string, line: string): number {
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    const after = text[at + line.length];
    if ((at === 0 || text[at - 1] === '\n') && (after === undefined || after === '\n')) return at;
  }
  return -1;
}
