import type { Plan } from './entries.ts';
import type { NamedFile } from './systemd.ts';

/** The label of an entry's agent. */
export const labelOf = (name: string): string => `session-fleet.${name}`;

/** Agents of launchd, one for each entry. */
export function launchdAgents({ entries, runner }: Plan): NamedFile[] {
  return entries.map(({ name, everySeconds }) => ({
    name: `${labelOf(name)}.plist`,
    text: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
      '<plist version="1.0">',
      '<dict>',
      `  <key>Label</key><string>${labelOf(name)}</string>`,
      `  <key>ProgramArguments</key><array><string>${xml(runner)}</string><string>${name}</string></array>`,
      `  <key>StartInterval</key><integer>${everySeconds}</integer>`,
      '  <!-- A session that it starts must outlive it. -->',
      '  <key>AbandonProcessGroup</key><true/>',
      '  <key>ProcessType</key><string>Background</string>',
      '</dict>',
      '</plist>',
      '',
    ].join('\n'),
  }));
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
