/** Who a start will be, chosen and written down before it. */
export interface SpawnIdentity {
  /** The session id of an interactive start; a background one picks its own. */
  sid: string;
  /** Unique on this machine. */
  name: string;
  /** The tmux session of an interactive start; tmux lets no two have one name. */
  tmuxSession: string;
}

/** The identity of a start of `task`, by a fresh UUID. `name`, when a person chose one, stands as it is. */
export function identityFor(task: string, uuid: string, name?: string): SpawnIdentity {
  const short = uuid.slice(0, 6);
  // tmux makes `_` of `.` and `:`, and a target could not name what it did not get.
  const plain = task.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 60);
  return { sid: uuid, name: name ?? `${task.slice(0, 80)}-${short}`, tmuxSession: `${plain}-${short}` };
}
