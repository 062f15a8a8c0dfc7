import type { Plan } from './entries.ts';

export interface NamedFile {
  name: string;
  text: string;
}

/** The unit of an entry, without its ending. */
export const unitOf = (name: string): string => `session-fleet-${name}`;

/** User units: a service and a timer for each entry. */
export function systemdUnits({ entries, runner }: Plan): NamedFile[] {
  return entries.flatMap(({ name, command, args, everySeconds }) => [
    {
      name: `${unitOf(name)}.service`,
      text: [
        '[Unit]',
        `Description=session-fleet: ${escaped([command, ...args].join(' '))}`,
        `Documentation=man:${command}(1)`,
        '',
        '[Service]',
        'Type=oneshot',
        `ExecStart="${escaped(runner).replaceAll('"', '\\"')}" ${name}`,
        '# A session that it starts must outlive it.',
        'KillMode=process',
        '',
      ].join('\n'),
    },
    {
      name: `${unitOf(name)}.timer`,
      text: [
        '[Unit]',
        `Description=session-fleet: ${escaped([command, ...args].join(' '))}, every ${everySeconds} s`,
        '',
        '[Timer]',
        `OnActiveSec=${everySeconds}`,
        `OnUnitActiveSec=${everySeconds}`,
        '# The default is a minute.',
        'AccuracySec=1s',
        '',
        '[Install]',
        'WantedBy=timers.target',
        '',
      ].join('\n'),
    },
  ]);
}

/** systemd expands `%`, and `$` in the words of a command. */
const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('$', '$$$$');
