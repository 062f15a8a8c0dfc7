import type { WatcherChange } from '../act/watcher/embedded-control.ts';
import type { Context } from '../context.ts';
import { EXIT, FleetError } from '../errors.ts';

export async function startWatcher(_context: Context, _task: string): Promise<WatcherChange> {
  throw new FleetError(EXIT.unreadable, 'no Temporal engine');
}

export async function stopWatcher(_context: Context, _task: string): Promise<WatcherChange> {
  throw new FleetError(EXIT.unreadable, 'no Temporal engine');
}
