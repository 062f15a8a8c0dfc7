const known = [
  { name: 'exit', about: 'Exit the CLI' },
  { name: 'clear', about: 'Start a new session with empty context; previous session stays on disk' },
  { name: 'context', about: 'Show what fills the context' },
  { name: 'rename', about: 'Rename the current conversation' },
  { name: 'status', about: 'Show version, model, account and the peer address' },
  { name: 'stop', about: 'Stop this background session' },
];

/** The commands that a draft could become: it starts with a slash and has no space yet. */
export function matching(draft) {
  const hit = /^\/([a-z-]*)$/.exec(draft);
  return hit ? known.filter(({ name }) => name.startsWith(hit[1])) : [];
}

/** What a sent line asks for as a command; undefined when it is a message to the model. */
export function commandOf(line) {
  const hit = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(line);
  if (!hit) return undefined;
  const [, word, rest = ''] = hit;
  const name = known.find((command) => command.name === word)?.name ?? matching(line)[0]?.name;
  return { name, word, rest: rest.trim() };
}
