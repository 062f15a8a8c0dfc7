import { hostname } from 'node:os';

/** Where the server is looked for when neither the config nor a flag says. */
export const DEFAULT_ADDRESS = '127.0.0.1:7233';

/**
 * The workflow id of a task's watcher on this host. The task comes first, so that `WorkflowId STARTS_WITH "task-watcher:TASK:"`
 * finds its watchers on every host without any search attribute of our own, which a server would have to be set up for.
 */
export const workflowIdOf = (task: string): string => `task-watcher:${task}:${hostname()}`;

/** The task queue of this host: a watcher's activities run where its sessions are. */
export const taskQueue = (): string => `session-fleet-${hostname()}`;
