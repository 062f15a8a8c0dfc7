import { join } from 'node:path';
import type { NativeConnection } from '@temporalio/worker';
import type { Context } from '../context.ts';
import { EXIT, FleetError, isFleetError, messageOf } from '../errors.ts';
import { watcherActivities } from './activities.ts';
import { libraryLog } from './library-log.ts';
import { loadActivity, loadWorker } from './load.ts';
import { taskQueue } from './names.ts';
import { reachable } from './reachable.ts';
import type { Say } from './say.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;
const ANSWER_MS = 3000;
const CHECK_EVERY_MS = 5000;
/** At shutdown a start under way may finish; what is cut short after that is found by the next tick. */
const GRACE = { shutdownGraceTime: '60s', shutdownForceTime: '80s' } as const;

/**
 * Runs this host's watchers until it is told to end by a signal: then it takes on no more, and lets what is under way finish.
 * While the server can't be reached it waits and tries again, at the start (after a reboot) and later.
 */
export async function runWorker(
  context: Context,
  { address, namespace }: { address: string; namespace: string },
  say: Say,
): Promise<void> {
  const { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } = await loadWorker();
  const { Context: Activity } = await loadActivity();
  const logger = new DefaultLogger('WARN', libraryLog(say));
  const workflowBundle = await bundleWorkflowCode({ workflowsPath: join(__dirname, 'workflow.cjs'), logger });
  const activities = watcherActivities(context, () => Activity.current(), say);
  const queue = taskQueue();
  let installed = false;
  for (let failures = 0; ; ) {
    let connection: NativeConnection | undefined;
    let watching: Checking | undefined;
    try {
      // Before anything listens for signals: who waits for a server is ended at once.
      await reachable(address);
      if (!installed) Runtime.install({ logger, telemetryOptions: { logging: { forward: { level: 'ERROR' } } } });
      installed = true;
      connection = await NativeConnection.connect({ address });
      const worker = await Worker.create({
        connection,
        namespace,
        taskQueue: queue,
        workflowBundle,
        activities: { ...activities },
        ...GRACE,
      });
      say(`serves task queue ${queue} of ${address}, namespace ${namespace}`, 'well');
      failures = 0;
      watching = checkServer(connection, address, say);
      await worker.run();
      say('has ended, as it was told to', 'well');
      return;
    } catch (error) {
      if (isFleetError(error)) throw error;
      const words = messageOf(error);
      if (error instanceof Error && error.name === 'GracefulShutdownPeriodExpiredError')
        throw new FleetError(EXIT.internal, `ended before all that was under way: ${words}`);
      if (failures === 0) say(`waits for the Temporal server at ${address}: ${words}`, 'trouble');
      failures += 1;
    } finally {
      watching?.stop();
      await connection?.close().catch(() => {});
    }
    await new Promise((done) => setTimeout(done, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))));
  }
}

interface Checking {
  stop(): void;
}

/** Says when a server goes away under a worker, and when it is back. */
function checkServer(connection: NativeConnection, address: string, say: Say): Checking {
  let away = false;
  let checking = false;
  const check = async () => {
    if (checking) return;
    checking = true;
    try {
      await connection.withDeadline(Date.now() + ANSWER_MS, () => connection.workflowService.getSystemInfo({}));
      if (away) say(`the Temporal server at ${address} answers again`, 'well');
      away = false;
    } catch (error) {
      if (!away)
        say(`the Temporal server at ${address} does not answer; its watchers wait: ${messageOf(error)}`, 'trouble');
      away = true;
    } finally {
      checking = false;
    }
  };
  const timer = setInterval(() => void check(), CHECK_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
