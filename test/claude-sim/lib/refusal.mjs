import { randomUUID } from 'node:crypto';
import { Dialog } from './dialogs.mjs';
import { runHooks } from './hooks.mjs';
import { configDir, readJson } from './places.cjs';

const failed = (error, apiErrorStatus, apiErrorType, text) => ({ error, apiErrorStatus, apiErrorType, text });
const serverSide = 'This is a server-side issue, usually temporary — try again in a moment.';

/** How a turn ends when the service refuses, by the `mode` in `<config dir>/sim/api.json`. */
const endings = {
  auth: () => failed('authentication_failed', 401, 'authentication_error', 'Invalid API key · Fix external API key'),
  revoked: () => failed('authentication_failed', 403, 'permission_error', 'OAuth token revoked · Please run /login'),
  credit: () => failed('billing_error', 400, 'invalid_request_error', 'Credit balance is too low'),
  overloaded: () => failed('server_error', 529, 'overloaded_error', `API Error: 529 Overloaded. ${serverSide}`),
  broken: () => failed('server_error', 500, 'api_error', `API Error: 500 Internal server error. ${serverSide}`),
  throttled() {
    const why = 'Number of request tokens has exceeded your per-minute rate limit.';
    const ending = failed('rate_limit', 429, 'rate_limit_error', `API Error: Request rejected (429) · ${why}`);
    return { ...ending, apiErrorIsTransient: false };
  },
  limit({ resetsAt = Math.floor(Date.now() / 1000) + 7200, claim = 'five_hour' }) {
    const name = claim === 'five_hour' ? '5-hour limit' : 'weekly limit';
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const text = `You've hit your ${name} · resets ${clockWords(resetsAt)} (${zone})`;
    const quotaLimits = {
      status: 'rejected',
      resetsAt,
      unifiedRateLimitFallbackAvailable: false,
      rateLimitType: claim,
    };
    const more = { apiError: 'usage_limit_reached', quotaLimits: { ...quotaLimits, isUsingOverage: false } };
    return { ...failed('rate_limit', 429, 'rate_limit_error', text), ...more };
  },
};

const wished = () => readJson(`${configDir}/sim/api.json`);

/** How the service refuses at this moment; undefined when it answers. */
export function refusal() {
  const wish = wished();
  return endings[wish?.mode]?.(wish);
}

/** Shows above the box for a while that a limit is nearly reached, when the service says so. */
export function tellWarning(session) {
  const { mode, resetsAt } = wished() ?? {};
  if (mode !== 'warned') return;
  session.notice = `You've used 92% of your weekly limit · resets ${clockWords(resetsAt)}`;
  const over = () => {
    session.notice = undefined;
    session.redraw();
  };
  setTimeout(over, 8000).unref();
}

/** Ends a turn that the service refused, as the real one does when it has tried often enough. */
export async function endRefused(session, { text, ...fields }) {
  session.failed = true;
  session.transcript.refused(text, { requestId: `req_${randomUUID()}`, ...fields });
  session.say(`  ⎿  ${text}`);
  session.transcript.flush();
  await runHooks(session, 'StopFailure', { error: fields.error, last_assistant_message: text });
  if (fields.quotaLimits && session.kind === 'interactive') waitForReset(session, fields.quotaLimits.resetsAt);
}

/** Within a day it goes on by itself (the stand-in only says so); for longer waits a person is asked. */
function waitForReset(session, resetsAt) {
  if (resetsAt * 1000 - Date.now() < 86_400_000) {
    const content = `Usage limit reached · continuing automatically at ${clockWords(resetsAt)} · esc to cancel`;
    session.transcript.system('informational', { content, isMeta: false, level: 'notice' });
    session.limitResets = clockWords(resetsAt);
    return session.say('', `● ${content}`);
  }
  const close = () => {
    session.dialog = undefined;
    session.refresh();
  };
  session.dialog = new Dialog({
    kind: 'dialog open',
    lines: [' What do you want to do?', ''],
    options: [
      'Stop and wait for limit to reset',
      `Wait here, then continue automatically at ${clockWords(resetsAt)}`,
      'Upgrade your plan',
    ],
    choose: close,
    cancel: close,
    top: '▔',
  });
}

function clockWords(seconds) {
  const at = new Date(seconds * 1000);
  const minute = at.getMinutes() === 0 ? {} : { minute: '2-digit' };
  const date = at.getTime() - Date.now() > 86_400_000 ? { month: 'short', day: 'numeric' } : {};
  const words = at.toLocaleString('en-US', { ...date, hour: 'numeric', ...minute, hour12: true });
  return words.replace(/[ \u202f]([AP]M)/, (_, half) => half.toLowerCase());
}
