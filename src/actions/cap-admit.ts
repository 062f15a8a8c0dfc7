import { type AdmissionResult, releaseReservation, requestAdmission } from '../lib/act/admit.ts';
import { withCapOptions } from '../lib/cli/cap-policy.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { EXIT, type ExitCode, FleetError } from '../lib/errors.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** The exit code of an admission: 75 to try later, 69 when the fleet could not be counted. */
export function admissionExit({ decision, token }: AdmissionResult): ExitCode {
  if (token !== undefined) return EXIT.done;
  return decision.reason.endsWith('unreadable') ? EXIT.unreadable : EXIT.later;
}

/** `session-cap admit`. */
export const admit: Handler = async (given, invocation, output) => {
  const context = withCapOptions(given, invocation.options);
  const result = await requestAdmission(context, {
    for: String(invocation.options.for ?? ''),
    ttlMs: context.policy.cap.reservationTtl,
    callerPid: process.ppid,
  });
  const { decision, token, ceiling } = result;
  const document = {
    schema: 'session-fleet.session-cap.admit.v1',
    admitted: token !== undefined,
    token: token ?? null,
    reason: decision.reason,
    words: decision.words,
    counted: decision.counted ?? null,
    ceiling: ceiling ?? null,
    ttlMs: context.policy.cap.reservationTtl,
  };
  if (token !== undefined || invocation.json) print(output, invocation, document, token ?? '');
  else output.err(`session-cap: not admitted: ${decision.words}\n`);
  return admissionExit(result);
};

/** `session-cap release TOKEN`. */
export const release: Handler = async ({ places }, invocation, output) => {
  const [token = ''] = invocation.args;
  const how = await releaseReservation(places, token);
  if (how === undefined) throw new FleetError(EXIT.noSuch, `no such reservation: ${safeText(token, 60)}`);
  const document = {
    schema: 'session-fleet.session-cap.release.v1',
    token,
    ended: how === 'now' ? 'released' : how,
    now: how === 'now',
  };
  const words =
    how === 'now' || how === 'released'
      ? ''
      : `had ended already: ${how === 'appeared' ? 'its session appeared' : 'its time ran out'}`;
  print(output, invocation, document, invocation.quiet ? '' : words);
  return EXIT.done;
};
