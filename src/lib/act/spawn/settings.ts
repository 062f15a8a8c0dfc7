import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Settings that answer launch questions of this start: the auto-mode notice always, the warning of bypass mode only when its
 * user asked for that mode, and the project's own MCP servers where there are any. A user's own --settings stands alone:
 * claude takes one.
 */
export function launchSettings(args: readonly string[], cwd: string): { settings?: Record<string, unknown> } {
  if (args.some((word) => word === '--settings' || word.startsWith('--settings='))) return {};
  const bypass = asksForBypass(args);
  return {
    settings: {
      skipAutoPermissionPrompt: true,
      // Without `accept` a session in this mode stops at a question for every message, and could not be woken.
      ...(bypass ? { skipDangerousModePermissionPrompt: true, crossSessionInbound: 'accept' } : {}),
      ...(existsSync(join(cwd, '.mcp.json')) ? { enableAllProjectMcpServers: true } : {}),
    },
  };
}

/** Whether a user's own words for claude ask for the mode without permission questions. */
export function asksForBypass(args: readonly string[]): boolean {
  return ['--dangerously-skip-permissions', 'bypassPermissions', '--permission-mode=bypassPermissions'].some((word) =>
    args.includes(word),
  );
}
