import { userInfo } from 'node:os';
import type { Client, Connection } from '@temporalio/client';
import type { WatcherChange } from '../act/watcher/embedded-control.ts';
import { watcherPolicy } from '../act/watcher/watcher-policy.ts';
import type { Context } from '../context.ts';
import { EXIT, FleetError, isFleetError, messageOf } from '../errors.ts';
import { pastRevivals } from '../observe/past-revivals.ts';
import { loadClient } from './load.ts';
import { DEFAULT_ADDRESS, taskQueue, workflowIdOf } from './names.ts';
import { STOP, type WatchStart, WORKFLOW } from './protocol.ts';
import { reachable } from './reachable.ts';

const CONNECT_MS = 5000;
const CALL_MS = 15_000;
/** A start may wait for its session, and looks at the fleet several times around it. */
const START_EXTRA_MS = 240_000;
const PROBE_EXTRA_MS = 30_000;

/**
 * Starts a task's workflow, or finds the one that runs: there is never a second one of an id. Its revivals of the last day count.
 * Throws FleetError 69 when the server can't be reached or Temporal's packages are not there.
 */
export function startWatcher(context: Context, task: string): Promise<WatcherChange> {
  return withClient(context, async (client, { WorkflowExecutionAlreadyStartedError }) => {
    const workflowId = workflowIdOf(task);
    try {
      await client.workflow.start(WORKFLOW, {
        workflowId,
        taskQueue: taskQueue(),
        args: [watchStart(context, task)],
        memo: { task },
        staticSummary: `watches task ${task}`,
      });
      return { workflowId, changed: true, words: `its workflow runs in task queue ${taskQueue()}` };
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      return { workflowId, changed: false, words: 'its workflow runs already' };
    }
  });
}

/** Asks a task's workflow to end; a worker then writes that into the task's events. Throws FleetError 66 when none runs. */
export function stopWatcher(context: Context, task: string): Promise<WatcherChange> {
  return withClient(context, async (client, { WorkflowNotFoundError }) => {
    const workflowId = workflowIdOf(task);
    try {
      await client.workflow.getHandle(workflowId).signal(STOP, userInfo().username);
      return { workflowId, changed: true, words: 'it was asked to stop; its worker writes its end' };
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      throw new FleetError(EXIT.noSuch, `no workflow ${workflowId} runs`);
    }
  });
}

function watchStart(context: Context, task: string): WatchStart {
  const { policy, places } = context;
  return {
    task,
    tasksDir: places.tasksDir,
    policy: watcherPolicy(context),
    interval: policy.watcher.interval,
    limits: { probe: 2 * policy.roster.timeout + PROBE_EXTRA_MS, start: policy.revive.wait + START_EXTRA_MS },
    revivals: pastRevivals(places, task, Date.now() - policy.revive.window),
  };
}

async function withClient<T>(
  { policy }: Context,
  work: (client: Client, library: Awaited<ReturnType<typeof loadClient>>) => Promise<T>,
): Promise<T> {
  const library = await loadClient();
  const { address = DEFAULT_ADDRESS, namespace } = policy.watcher.temporal;
  let connection: Connection | undefined;
  try {
    await reachable(address);
    connection = await library.Connection.connect({ address, connectTimeout: CONNECT_MS });
    const client = new library.Client({ connection, namespace });
    return await connection.withDeadline(Date.now() + CALL_MS, () => work(client, library));
  } catch (error) {
    if (isFleetError(error)) throw error;
    throw new FleetError(
      EXIT.unreadable,
      `the Temporal server at ${address}, namespace ${namespace}: ${causeOf(error)}`,
    );
  } finally {
    await connection?.close();
  }
}

/** Temporal's client says what went wrong in the cause of what it throws. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${messageOf(error.cause)}` : '';
  return `${messageOf(error)}${cause}`.slice(0, 400);
}
