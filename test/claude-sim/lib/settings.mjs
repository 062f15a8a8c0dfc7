import { configDir, readJson } from './places.cjs';

/** The settings that hold in a folder: the user's, the project's, the flag's. Hooks add up, other keys override. */
export function loadSettings(cwd, flag) {
  const layers = [
    readJson(`${configDir}/settings.json`),
    readJson(`${cwd}/.claude/settings.json`),
    readJson(`${cwd}/.claude/settings.local.json`),
    fromFlag(flag),
  ];
  const merged = { hooks: {} };
  for (const { hooks = {}, ...rest } of layers.filter(Boolean)) {
    Object.assign(merged, rest);
    for (const [event, matchers] of Object.entries(hooks)) {
      merged.hooks[event] = [...(merged.hooks[event] ?? []), ...matchers];
    }
  }
  return merged;
}

function fromFlag(flag) {
  if (!flag) return undefined;
  return flag.trimStart().startsWith('{') ? JSON.parse(flag) : readJson(flag);
}
