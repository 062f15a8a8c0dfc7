const FULL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SHORT = /^[0-9a-f]{6,16}$/;

/** True for a full session id. Ids become file names, so nothing else may pass as one. */
export function isSessionId(text: string): boolean {
  return FULL.test(text);
}

/** True for the short id of a background session, the only id that `claude stop` takes. */
export function isShortId(text: string): boolean {
  return SHORT.test(text);
}
