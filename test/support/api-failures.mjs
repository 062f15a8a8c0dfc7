// How the Messages API refuses: the answers that the real service gives, as far as Claude Code looks at them.
// A file of JSON switches them on: {"mode": …, "resetsAt": <s since 1970, for limit>, "claim": "seven_day"}. With "warned" it
// answers, and tells that 92% of the weekly limit is used.
import { readFileSync } from 'node:fs';

const refusals = {
  auth: () => [401, 'authentication_error', 'invalid x-api-key'],
  revoked: () => [403, 'permission_error', 'OAuth token has been revoked. Please obtain a new token.'],
  credit: () => [
    400,
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  ],
  limit: ({ resetsAt, claim = 'five_hour' }) => [
    429,
    'rate_limit_error',
    "This request would exceed your account's rate limit. Please try again later.",
    limitHeaders(resetsAt ?? Math.floor(Date.now() / 1000) + 7200, claim),
  ],
  throttled: () => [429, 'rate_limit_error', 'Number of request tokens has exceeded your per-minute rate limit.'],
  overloaded: () => [529, 'overloaded_error', 'Overloaded'],
  broken: () => [500, 'api_error', 'Internal server error'],
};

/** What a subscription whose window is used up is told, besides the status. */
function limitHeaders(resetsAt, claim) {
  const window = claim === 'five_hour' ? '5h' : '7d';
  return {
    'retry-after': String(Math.max(0, resetsAt - Math.floor(Date.now() / 1000))),
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(resetsAt),
    'anthropic-ratelimit-unified-representative-claim': claim,
    [`anthropic-ratelimit-unified-${window}-status`]: 'rejected',
    [`anthropic-ratelimit-unified-${window}-reset`]: String(resetsAt),
    [`anthropic-ratelimit-unified-${window}-utilization`]: '1.0',
    'anthropic-ratelimit-unified-fallback': 'unavailable',
    'anthropic-ratelimit-unified-overage-status': 'rejected',
    'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
  };
}

/** What `file` asks for at this moment. */
function wishIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** Headers of an answer that warns of a usage limit, when `file` asks for that. */
export function warning(file) {
  const { mode, resetsAt } = wishIn(file);
  if (mode !== 'warned') return {};
  return {
    'anthropic-ratelimit-unified-status': 'allowed_warning',
    'anthropic-ratelimit-unified-reset': String(resetsAt),
    'anthropic-ratelimit-unified-representative-claim': 'seven_day',
    'anthropic-ratelimit-unified-7d-status': 'allowed_warning',
    'anthropic-ratelimit-unified-7d-reset': String(resetsAt),
    'anthropic-ratelimit-unified-7d-utilization': '0.92',
    'anthropic-ratelimit-unified-7d-surpassed-threshold': '0.9',
  };
}

/** The refusal that `file` asks for at this moment; undefined when there is none. */
export function refusal(file) {
  const wish = wishIn(file);
  const [status, type, message, headers = {}] = refusals[wish.mode]?.(wish) ?? [];
  if (status === undefined) return undefined;
  const body = { type: 'error', error: { type, message }, request_id: 'req_stub' };
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
