import type * as activity from '@temporalio/activity';
import type * as client from '@temporalio/client';
import type * as worker from '@temporalio/worker';
import { EXIT, errnoOf, FleetError, messageOf } from '../errors.ts';

// Temporal's packages are 260 MB, and importing one takes half a second: they are optional peers, loaded on the Temporal
// paths alone. Their names are values, so that no bundler takes them in.

const PACKAGES = ['worker', 'client', 'workflow', 'activity'].map((name) => `@temporalio/${name}`);

export const loadClient = (): Promise<typeof client> => load('@temporalio/client');
export const loadWorker = (): Promise<typeof worker> => load('@temporalio/worker');
export const loadActivity = (): Promise<typeof activity> => load('@temporalio/activity');

/** Throws FleetError 69 that says what to install when a package is not there, or does not load on this machine. */
async function load<T>(name: string): Promise<T> {
  try {
    return (await import(/* @vite-ignore */ name)) as T;
  } catch (error) {
    const absent = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(errnoOf(error) ?? '');
    const why = absent ? 'is not installed' : `does not load: ${messageOf(error)}`;
    throw new FleetError(
      EXIT.unreadable,
      `${name} ${why}; the Temporal engine needs: npm install -g ${PACKAGES.join(' ')}`,
    );
  }
}
