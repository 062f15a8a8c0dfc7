import { ask } from './daemon-client.mjs';
import { daemonDir } from './daemon-places.mjs';

/** `claude daemon status|stop`. */
export async function daemonCommand([word]) {
  if (word === 'stop') {
    const reply = await ask({ op: 'quit' });
    process.stdout.write(reply ? `stopped daemon (pid ${reply.pid})\n` : 'daemon is not running\n');
    return;
  }
  const reply = await ask({ op: 'status' });
  if (!reply) {
    process.stdout.write('daemon is not running\n');
    return;
  }
  const lines = [`pid:     ${reply.pid}`, `uptime:  ${Math.round(reply.uptime / 1000)}s`];
  lines.push('', 'bg sessions:', `  sock dir:     ${daemonDir}`, `  bg workers:   ${reply.workers} running`);
  process.stdout.write(`${lines.join('\n')}\n`);
}
