import type { Pane } from '../observe/tmux.ts';

export interface ReapVerdict {
  pane: Pane;
  kind: 'reap' | 'keep';
  reason: 'dead-claude' | 'dead-marked' | 'alive' | 'not-ours';
}

/**
 * Which panes may be removed: dead ones that were started as claude, or that carry the fleet's mark. Nothing else in a
 * person's tmux, dead or not.
 */
export function decideReap(panes: readonly Pane[]): ReapVerdict[] {
  return panes.map((pane) => {
    if (!pane.dead) return { pane, kind: 'keep', reason: 'alive' };
    if (startedAsClaude(pane.startCommand)) return { pane, kind: 'reap', reason: 'dead-claude' };
    if (pane.mark !== '') return { pane, kind: 'reap', reason: 'dead-marked' };
    return { pane, kind: 'keep', reason: 'not-ours' };
  });
}

/** Whether a pane's start command runs claude itself: its first word, quoted or not, is a path that ends in claude. */
export function startedAsClaude(command: string): boolean {
  const [, double, single, plain] = /^(?:"([^"]*)|'([^']*)|(\S+))/.exec(command.trim()) ?? [];
  const first = (double ?? single ?? plain ?? '').split(/\s/, 1)[0] ?? '';
  return first === 'claude' || first.endsWith('/claude');
}
