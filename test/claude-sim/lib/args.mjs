const withValue = {
  '--session-id': 'sessionId',
  '--resume': 'resume',
  '-r': 'resume',
  '--name': 'name',
  '-n': 'name',
  '--permission-mode': 'permissionMode',
  '--settings': 'settings',
  '--model': 'model',
  '--effort': 'effort',
  '--agent': 'agent',
  '--append-system-prompt': 'appendSystemPrompt',
  '--system-prompt': 'systemPrompt',
};
// These take every word up to the next option, a prompt included.
const variadic = new Set(['--mcp-config', '--add-dir', '--allowedTools', '--allowed-tools', '--disallowedTools']);
const switches = {
  '--bg': ['bg', true],
  '--background': ['bg', true],
  '-p': ['print', true],
  '--print': ['print', true],
  '--continue': ['continue', true],
  '-c': ['continue', true],
  '--dangerously-skip-permissions': ['permissionMode', 'bypassPermissions'],
};

/** The options of an interactive, print or background start. `flags` are those to be passed again at a respawn. */
export function parseArgs(words) {
  const options = { permissionMode: 'auto', flags: [], addDirs: [] };
  const rest = [...words];
  while (rest.length > 0) {
    const [word, inline] = splitInline(rest.shift());
    if (word === '--') return { ...options, prompt: rest[0] ?? options.prompt };
    if (withValue[word]) {
      options[withValue[word]] = inline ?? rest.shift();
      if (!['--session-id', '--resume', '-r'].includes(word)) options.flags.push(word, options[withValue[word]]);
    } else if (variadic.has(word)) {
      while (rest.length > 0 && !rest[0].startsWith('-')) {
        const value = rest.shift();
        if (word === '--add-dir') options.addDirs.push(value);
      }
    } else if (switches[word]) {
      const [key, value] = switches[word];
      options[key] = value;
      if (key === 'permissionMode') options.flags.push('--permission-mode', value);
    } else if (!word.startsWith('-')) {
      options.prompt ??= word;
    }
  }
  return options;
}

function splitInline(word) {
  const hit = /^(--[\w-]+)=([\s\S]*)$/.exec(word);
  return hit ? [hit[1], hit[2]] : [word, undefined];
}
