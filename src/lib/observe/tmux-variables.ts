import type { Environment, Places } from '../store/places.ts';
import { claudeProcesses } from './claude-processes.ts';
import { type ProcessTable, scanProcesses } from './process-table.ts';
import { claudeCommand } from './roster.ts';

/** TMUX variables of the fleet's own interactive session processes, without asking the roster. */
export async function fleetTmuxVariables(env: Environment, places: Places): Promise<string[]> {
  const table = await scanProcesses();
  if (!table.ok) return [];
  const fleet = { claudeDir: places.claudeDir, command: claudeCommand(env), listed: new Set<number>() };
  return claudeProcesses(table.value, fleet).flatMap(({ role, pid }) =>
    role === 'session' ? variable(table.value, pid) : [],
  );
}

function variable(table: ProcessTable, pid: number): string[] {
  const value = table.environ(pid)?.get('TMUX');
  return value === undefined ? [] : [value];
}
