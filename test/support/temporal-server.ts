import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.ts';

/**
 * Temporal's own command, which holds its development server: $TEMPORAL_BIN, else on PATH. Where there is none the tests on
 * a server are skipped, unless $TEMPORAL_REQUIRED says that they must run.
 */
export const temporalBin = find();

function find(): string | undefined {
  const { TEMPORAL_BIN, TEMPORAL_REQUIRED, PATH = '' } = process.env;
  const names = TEMPORAL_BIN ? [TEMPORAL_BIN] : PATH.split(delimiter).map((folder) => join(folder, 'temporal'));
  const found = names.find((name) => existsSync(name));
  if (found === undefined && (TEMPORAL_BIN || TEMPORAL_REQUIRED)) throw new Error('no temporal command is to be found');
  return found;
}

/** A real development server on a loopback port and a database file of its own. */
export class TemporalServer {
  readonly address: string;
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.address = `127.0.0.1:${port}`;
  }

  /** Takes a free port; nothing runs there before `start`. */
  static async place(folder: string): Promise<TemporalServer> {
    return new TemporalServer(folder, await freePort());
  }

  /** Starts it, or starts it again on its database file, and waits until it serves. */
  async start(): Promise<void> {
    const log = openSync(join(this.#folder, 'temporal.log'), 'a');
    const words = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(this.#port), '--headless'];
    const more = ['--db-filename', join(this.#folder, 'temporal.db'), '--log-level', 'error'];
    this.#process = spawn(temporalBin ?? '', [...words, ...more], { stdio: ['ignore', log, log] });
    // A test process that is ended must not leave it behind.
    process.once('exit', () => this.#process?.kill('SIGKILL'));
    await until(() => this.serves(), { what: 'the Temporal server to serve', timeout: 40_000, interval: 200 });
  }

  async serves(): Promise<boolean> {
    try {
      await this.cli('operator', 'namespace', 'describe', '-n', 'default');
      return true;
    } catch {
      return false;
    }
  }

  /** Ends it; its database file stays. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    const hard = setTimeout(() => child.kill('SIGKILL'), 8000);
    await gone;
    clearTimeout(hard);
  }

  /** Runs `temporal WORDS` against it and returns what it printed. */
  async cli(...words: string[]): Promise<string> {
    const done = await promisify(execFile)(temporalBin ?? '', [...words, '--address', this.address], {
      timeout: 20_000,
    });
    return done.stdout;
  }

  /** Ids of the workflows that a query of `temporal workflow list` finds. */
  async list(query: string): Promise<string[]> {
    const text = await this.cli('workflow', 'list', '--query', query, '--output', 'json');
    const rows = JSON.parse(text || '[]') as { execution: { workflowId: string } }[];
    return rows.map(({ execution }) => execution.workflowId);
  }

  /** How Temporal itself says that a workflow stands: `Running`, `Completed`, … */
  async statusOf(workflowId: string): Promise<string> {
    const text = await this.cli('workflow', 'describe', '-w', workflowId, '--output', 'json');
    const { workflowExecutionInfo } = JSON.parse(text) as { workflowExecutionInfo: { status: string } };
    return workflowExecutionInfo.status.replace('WORKFLOW_EXECUTION_STATUS_', '');
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** The version of the temporal command, for whoever reads a test's output. */
export function temporalVersion(): string {
  return temporalBin === undefined ? 'none' : execFileSync(temporalBin, ['--version'], { encoding: 'utf8' }).trim();
}
