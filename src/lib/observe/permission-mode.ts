import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTail } from '../store/json-lines.ts';

type Settings = Record<string, unknown> | undefined;

/** What a session was started with, and what its files say. */
export interface ModeSources {
  claudeDir: string;
  argv: readonly string[];
  /** Its transcript, when there is one. */
  transcript: string | undefined;
}

/**
 * Why a message would stop the session at a question; undefined when nothing says that it would. A session that bypasses
 * permission prompts asks before it hears a sender who does not say that it bypasses them too, and stands there for
 * minutes, unless `crossSessionInbound` is set in its own or the user's settings (a project's can only narrow that).
 */
export function wouldAskFirst(sources: ModeSources): string | undefined {
  const { claudeDir, argv, transcript } = sources;
  const user = settingsIn(join(claudeDir, 'settings.json'));
  const flag = flagSettings(argv);
  if (!bypasses(argv, [flag, user], transcript)) return undefined;
  const inbound = flag?.crossSessionInbound ?? user?.crossSessionInbound;
  // `hold` and `refuse` ask nothing: they park it, or drop it.
  if (inbound === 'accept' || inbound === 'hold' || inbound === 'refuse') return undefined;
  return 'it bypasses permission prompts, where a message opens a question that stops the session; start it with the setting crossSessionInbound "accept"';
}

/** By the last mode in its transcript, else by how it was started. */
function bypasses(argv: readonly string[], settings: readonly Settings[], transcript: string | undefined): boolean {
  const last = transcript === undefined ? undefined : lastMode(transcript);
  if (last !== undefined) return last === 'bypassPermissions';
  if (argv.includes('--dangerously-skip-permissions')) return true;
  const asked = optionOf(argv, '--permission-mode');
  if (asked !== undefined) return asked === 'bypassPermissions';
  return settings.some((one) => (one?.permissions as Settings)?.defaultMode === 'bypassPermissions');
}

function lastMode(transcript: string): string | undefined {
  const records = readTail(transcript, 256 << 10).records;
  const modes = records.flatMap(({ permissionMode }) => (typeof permissionMode === 'string' ? [permissionMode] : []));
  return modes.at(-1);
}

function flagSettings(argv: readonly string[]): Settings {
  const value = optionOf(argv, '--settings');
  if (value === undefined) return undefined;
  return value.trimStart().startsWith('{') ? parsed(value) : settingsIn(value);
}

function optionOf(argv: readonly string[], name: string): string | undefined {
  const at = argv.indexOf(name);
  if (at >= 0) return argv[at + 1];
  return argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

function settingsIn(file: string): Settings {
  try {
    return parsed(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function parsed(text: string): Settings {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
