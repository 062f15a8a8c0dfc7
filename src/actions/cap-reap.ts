import { removeDeadPane } from '../lib/act/remove-pane.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { decideReap } from '../lib/decide/reap.ts';
import { EXIT } from '../lib/errors.ts';
import { readPanes } from '../lib/observe/tmux.ts';
import { tmuxSockets } from '../lib/observe/tmux-sockets.ts';
import { fleetTmuxVariables } from '../lib/observe/tmux-variables.ts';
import { logObserved, observes } from '../lib/observe-mode.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** `session-cap reap`. */
export const reap: Handler = async (context, invocation, output) => {
  const { env, places } = context;
  const observed = observes(context, 'reap');
  const dryRun = invocation.options.dryRun === true || observed;
  const sockets = tmuxSockets(env, await fleetTmuxVariables(env, places));
  const read = await Promise.all(sockets.map((socket) => readPanes(env, socket)));
  const failures = read.flatMap((panes) => (panes.ok ? [] : [panes.why]));
  const verdicts = decideReap(read.flatMap((panes) => (panes.ok ? panes.value : [])));
  const removed: {
    socket: string;
    pane: string;
    session: string;
    startCommand: string;
    reason: string;
    result: string;
  }[] = [];
  for (const { pane, kind, reason } of verdicts) {
    if (kind !== 'reap') continue;
    const result = dryRun ? 'would be removed' : await removeDeadPane(env, pane);
    const { socket, paneId, session, startCommand } = pane;
    if (observed) logObserved(context, { rule: 'reap', pane: paneId, socket, words: reason });
    removed.push({ socket, pane: paneId, session, startCommand: startCommand.slice(0, 1000), reason, result });
  }
  const document = { schema: 'session-fleet.session-cap.reap.v1', dryRun, panes: removed, unreadable: failures };
  const lines = removed.map(
    (one) => `${one.pane} ${safeText(one.session, 40)}: ${safeText(one.startCommand, 60)}: ${one.result}`,
  );
  if (removed.length === 0 && !invocation.quiet) lines.push('no dead pane of claude’s');
  print(output, invocation, document, invocation.quiet && failures.length === 0 ? '' : lines.join('\n'));
  for (const why of failures) output.err(`session-cap: ${why}\n`);
  return failures.length > 0 ? EXIT.unreadable : EXIT.done;
};
