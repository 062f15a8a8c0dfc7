import { version } from './places.cjs';

const commands = {
  stop: async (words) => (await import('./stop.mjs')).stop(words),
  attach: async (words) => (await import('./attach.mjs')).attach(words),
  logs: async (words) => (await import('./logs.mjs')).logs(words),
  daemon: async (words) => (await import('./daemon-command.mjs')).daemonCommand(words),
};

/** Sends the words of the command line to what they ask for. */
export async function dispatch(words) {
  if (words.length === 1 && ['--version', '-v'].includes(words[0])) {
    process.stdout.write(`${version} (Claude Code)\n`);
    return;
  }
  if (Object.hasOwn(commands, words[0])) return commands[words[0]](words.slice(1));
  const { parseArgs } = await import('./args.mjs');
  const options = parseArgs(words);
  if (options.bg) return (await import('./bg.mjs')).background(options);
  if (options.print) return (await import('./print.mjs')).print(options);
  return (await import('./interactive.mjs')).interactive(options, words);
}
