/** What of an HTTP request decides whether the page of decisions takes it. */
export interface PageRequest {
  method: string;
  /** Whether its path begins with the secret word. */
  tokenOk: boolean;
  /** The path behind that word: `/`, `/answer`. */
  path: string;
  host: string | undefined;
  origin: string | undefined;
  /** `Sec-Fetch-Site`. */
  site: string | undefined;
  contentType: string | undefined;
  /** `Content-Length` as it was sent. */
  length: string | undefined;
}

export type PageVerdict =
  | { kind: 'page' | 'answer' | 'add-slash' }
  | { kind: 'refuse'; status: 403 | 404 | 405 | 413 | 415; words: string };

/** The most that an answer may take, in bytes: a note of 4000 characters, each percent-encoded in up to 9, and the rest. */
export const FORM_LIMIT_BYTES = 48 << 10;

const refuse = (status: 403 | 404 | 405 | 413 | 415, words: string): PageVerdict => ({ kind: 'refuse', status, words });

/**
 * Takes a request, or refuses it. Without the secret word it is told nothing. A name that is not loopback's comes from a
 * page elsewhere whose own name was made to lead here (DNS rebinding); any port will do, for it may be forwarded. Only a
 * form of this page may change something.
 */
export function decidePageRequest(request: PageRequest): PageVerdict {
  const { method, tokenOk, path, host } = request;
  if (!tokenOk || !isLoopbackHost(host)) return refuse(403, 'forbidden');
  if (path === '/answer') return method === 'POST' ? decideAnswer(request) : refuse(405, 'POST only');
  if (path !== '/' && path !== '') return refuse(404, 'no such page');
  if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'GET only');
  return { kind: path === '' ? 'add-slash' : 'page' };
}

function decideAnswer(request: PageRequest): PageVerdict {
  if (!isSameOrigin(request)) return refuse(403, 'this did not come from the page of decisions');
  const { contentType = '', length } = request;
  if (contentType.split(';')[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return refuse(415, 'not a form');
  if (length !== undefined && !(Number(length) <= FORM_LIMIT_BYTES)) return refuse(413, 'too long');
  return { kind: 'answer' };
}

function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/i.test(host);
}

/**
 * Whether a browser vouches that it is the page's own form. Under our referrer policy some send the origin as `null`: then
 * only Sec-Fetch-Site can vouch for it. Neither is no browser, or too old a one.
 */
function isSameOrigin({ host, origin, site }: PageRequest): boolean {
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined || origin === 'null') return site === 'same-origin';
  return origin.toLowerCase() === `http://${host}`.toLowerCase();
}
