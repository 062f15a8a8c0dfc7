import { parseResetTime } from '../words/reset-time.ts';
import { safeText } from '../words/safe-text.ts';
import { timestampMs } from '../words/timestamp.ts';

/**
 * What a turn failed on. `auth`: the service takes no credentials of this machine. `limit`: a usage limit, which resets.
 * `credit`: nothing is left to pay with. `transient`: anything that the next try may not meet, an overloaded service first.
 */
export type FailureCause = 'auth' | 'limit' | 'credit' | 'transient';

/** A turn that ended in an error of the API. `at`: ISO 8601; `resetsAt`: ms since 1970, of a limit. */
export interface FailedTurn {
  kind: 'failed';
  cause: FailureCause;
  at: string | undefined;
  words: string;
  resetsAt?: number;
}

type Fields = Record<string, unknown>;

/** The `apiError` of a record, which is finer than its `error`. */
const BY_API_ERROR = new Map<unknown, FailureCause>([
  ['usage_limit_reached', 'limit'],
  ['model_requires_usage_credits', 'credit'],
  ['long_context_credits_required', 'credit'],
  ['org_disabled_credential', 'auth'],
  ['api_key_auth_disabled', 'auth'],
  ['invalid_credential_header', 'auth'],
  ['stored_login_refused', 'auth'],
  ['provider_credentials', 'auth'],
  ['network_edge_blocked', 'transient'],
]);

/** The `error` of a record. Those that are not here (`rate_limit`, `invalid_request`, `unknown`) say too little. */
const BY_ERROR = new Map<unknown, FailureCause>([
  ['authentication_failed', 'auth'],
  ['oauth_org_not_allowed', 'auth'],
  ['account_on_hold', 'auth'],
  ['verification_required', 'auth'],
  ['billing_error', 'credit'],
  ['overloaded', 'transient'],
  ['server_error', 'transient'],
  ['max_output_tokens', 'transient'],
  ['model_not_found', 'transient'],
  // Claude Code itself tries these again: a helper that fetches them may have failed once.
  ['cloud_credential_error', 'transient'],
]);

/** The words of versions whose records have no fields, first match. They are only looked at in an error of the API. */
const BY_WORDS: readonly [RegExp, FailureCause][] = [
  [/not your usage limit/i, 'transient'],
  [/\bcredit balance is too low|out of usage credits/i, 'credit'],
  // Not "Context limit reached": that is a full conversation.
  [/\b(usage|hour|session|weekly|opus|sonnet|spend) limit reached\b|\bout of extra usage\b/i, 'limit'],
  [/\b(hit|reached) your\b[^.·]{0,60}\blimit\b/i, 'limit'],
  [/^API Error: (401|403)\b|\bauthentication_error\b/i, 'auth'],
  [/^(Invalid API key|Not logged in|Please run \/login|OAuth (token|session|authentication)|Login expired)/i, 'auth'],
  [/^(Failed to authenticate|This organization has been disabled|Your organization (has disabled|does not))/i, 'auth'],
];

/**
 * The failure that an assistant record of a transcript stands for; undefined for one that is an answer, and null for one
 * that is neither: Claude Code's own filling between two messages ("No response requested.").
 */
export function failureIn(record: Fields): FailedTurn | null | undefined {
  const text = textOf(record.message);
  if (record.isApiErrorMessage !== true) {
    if ((record.message as Fields | undefined)?.model !== '<synthetic>') return undefined;
    // Before there was the mark, an error could only be told by its words.
    if (record.isApiErrorMessage === false || causeByWords(text) === undefined) return null;
  }
  const at = timestampMs(record.timestamp);
  const cause = causeOf(record, text);
  const resetsAt = cause === 'limit' ? resetOf(record, text, at) : undefined;
  return {
    kind: 'failed',
    cause,
    at: at === undefined ? undefined : new Date(at).toISOString(),
    words: safeText(text.trim() || String(record.error ?? 'an error of the API'), 160),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  };
}

function causeOf(record: Fields, text: string): FailureCause {
  const { error, apiError, apiErrorStatus: status } = record;
  const said = BY_API_ERROR.get(apiError);
  if (said !== undefined) return said;
  if (record.apiErrorIsTransient === true) return 'transient';
  if (quotaOf(record)?.status === 'rejected') return 'limit';
  const known = BY_ERROR.get(error);
  if (known !== undefined) return known;
  if (apiError === undefined && (status === 401 || status === 403)) return 'auth';
  const plain = error === undefined || error === 'rate_limit';
  return (plain ? causeByWords(text) : undefined) ?? 'transient';
}

function causeByWords(text: string): FailureCause | undefined {
  return BY_WORDS.find(([pattern]) => pattern.test(text))?.[1];
}

/** When the limit resets: by the record's own number (s since 1970), else by its words. */
function resetOf(record: Fields, text: string, at: number | undefined): number | undefined {
  const quota = quotaOf(record);
  // Paid usage beyond the plan goes on; the window's reset is not what it waits for.
  if (quota?.isUsingOverage === true || quota?.overageInUse === true) return undefined;
  const seconds = quota?.resetsAt;
  const plausible = typeof seconds === 'number' && seconds > 1e9 && seconds < 1e11;
  return plausible ? seconds * 1000 : parseResetTime(text, at);
}

function quotaOf(record: Fields): Fields | undefined {
  const quota = record.quotaLimits;
  return typeof quota === 'object' && quota !== null ? (quota as Fields) : undefined;
}

/** The text of a message, at most 500 characters: errors are short, and hostile ones shall not cost. */
function textOf(message: unknown): string {
  const content: unknown = (message as Fields | null | undefined)?.content;
  const blocks: unknown[] = Array.isArray(content) ? content : [{ text: content }];
  const texts = blocks.map((block) => (block as Fields | null)?.text);
  return texts.find((text): text is string => typeof text === 'string')?.slice(0, 500) ?? '';
}
