/** Environment variables that every command reads, for its man page. */
export const ENVIRONMENT = [
  { name: 'FLEET_HOME', about: 'where the fleet keeps its files; default jobs/ in the Claude config directory' },
  {
    name: 'FLEET_CONFIG',
    about: 'the config file; default session-fleet/config.json under XDG_CONFIG_HOME or ~/.config',
  },
  { name: 'FLEET_CLAUDE', about: 'the claude command, default claude' },
  { name: 'FLEET_TMUX', about: 'the tmux command, default tmux' },
  {
    name: 'FLEET_TMUX_SOCKETS',
    about:
      'further tmux sockets, names or paths, colon-separated; the default server and those of live sessions are always read',
  },
  { name: 'CLAUDE_CONFIG_DIR', about: 'Claude Code’s config directory; default ~/.claude' },
  { name: 'NO_COLOR', about: 'no colours when set' },
] as const;
