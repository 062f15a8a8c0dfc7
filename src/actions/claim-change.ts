import { askerHere, holderOf, holderPid } from '../lib/act/claim/holder.ts';
import { finishLease } from '../lib/claims/finish.ts';
import { acquire, leaseOf, renew } from '../lib/claims/leases.ts';
import { withClaims } from '../lib/claims/open.ts';
import { type Handler, type Output, print } from '../lib/cli/output.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import type { Context } from '../lib/context.ts';
import { type Lease, sameHolder } from '../lib/decide/claim/lease.ts';
import { isClaimKey } from '../lib/decide/claim/sidecar.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { momentNow } from '../lib/store/boot-clock.ts';
import { nameInSidecar, SIDECAR_VARIABLE } from '../lib/store/sidecar.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** `task-claim acquire KEY`. */
export const claimAcquire: Handler = async (context, invocation, output) => {
  const { env, places, policy } = context;
  const key = keyOf(invocation);
  const { ttl, category } = invocation.options;
  const holder = holderOf(holderPid(env, numberOf(invocation, 'pid')), env);
  const ttlMs = typeof ttl === 'number' ? ttl : policy.claims.ttl;
  if (ttlMs < 1000) throw new FleetError(EXIT.usage, '--ttl is at least 1s', { field: 'ttl' });
  const sidecar = env[SIDECAR_VARIABLE];
  const got = await withClaims(context, async (db) => {
    const word = typeof category === 'string' ? category : undefined;
    const made = await acquire(db, { key, ttlMs, holder, category: word }, askerHere(places));
    if (!made.ok || sidecar === undefined || sidecar === '') return made;
    try {
      nameInSidecar(sidecar, { key, generation: made.lease.generation, ...holder });
    } catch (error) {
      // What the run's end would not know of must not be held.
      if (made.how !== 'renewed') {
        const end = { outcome: 'abandon', reason: 'sidecar-unwritable', rawExitCode: undefined } as const;
        await finishLease(db, made.lease, {
          ...end,
          source: 'task-claim',
          host: holder.host,
          pid: holder.pid,
          at: Date.now(),
        });
      }
      throw error;
    }
    return made;
  });
  const document = {
    schema: 'session-fleet.task-claim.acquire.v1',
    key,
    acquired: got.ok,
    generation: got.lease.generation,
    how: got.ok ? got.how : null,
    words: got.words,
    holder: { ...got.lease.holder, sid: got.lease.holder.sid ?? null },
    ttlMs: got.lease.ttlMs,
  };
  if (got.ok) {
    print(
      output,
      invocation,
      document,
      invocation.quiet ? '' : `${key}: ${got.how}, generation ${got.lease.generation}`,
    );
    return EXIT.done;
  }
  if (invocation.json) print(output, invocation, document, '');
  else output.err(`task-claim: ${key}: ${safeText(got.words, 300)}\n`);
  return EXIT.later;
};

/** `task-claim renew KEY`. */
export const claimRenew: Handler = async (context, invocation, output) => {
  const { ttl } = invocation.options;
  return withClaims(context, async (db) => {
    const lease = ownLease(context, invocation, await leaseOf(db, keyOf(invocation)));
    const renewed = await renew(db, lease, momentNow(), typeof ttl === 'number' ? ttl : undefined);
    if (renewed === undefined) throw new FleetError(EXIT.guard, `${lease.key}: it is not this holder’s any more`);
    return say('renewed', renewed, true, invocation, output);
  });
};

/** `task-claim complete KEY`. */
export const claimComplete: Handler = (context, invocation, output) => end(context, 'complete', invocation, output);

/** `task-claim abandon KEY`. */
export const claimAbandon: Handler = (context, invocation, output) => end(context, 'abandon', invocation, output);

async function end(context: Context, outcome: 'complete' | 'abandon', invocation: Invocation, output: Output) {
  const { reason } = invocation.options;
  return withClaims(context, async (db) => {
    const lease = ownLease(context, invocation, await leaseOf(db, keyOf(invocation)));
    const { host, pid } = lease.holder;
    const said = typeof reason === 'string' ? safeText(reason, 200) : outcome;
    const how = { outcome, reason: said, rawExitCode: undefined, source: 'task-claim', host, pid, at: Date.now() };
    const result = await finishLease(db, lease, how);
    if (result === 'lost' || result === 'unknown') {
      throw new FleetError(EXIT.guard, `${lease.key}: it is not this holder’s any more`);
    }
    return say(outcome === 'complete' ? 'completed' : 'abandoned', lease, result === 'done', invocation, output);
  });
}

/** The lease that a call may change: of the generation it names, else the one that its holder has. */
function ownLease({ env }: Context, invocation: Invocation, lease: Lease | undefined): Lease {
  const key = keyOf(invocation);
  if (lease === undefined) throw new FleetError(EXIT.noSuch, `${key}: nobody holds it`);
  const generation = numberOf(invocation, 'generation');
  if (generation !== undefined) return { ...lease, generation };
  const mine = holderOf(holderPid(env, numberOf(invocation, 'pid')), env);
  const bySession = mine.sid !== undefined && mine.sid === lease.holder.sid;
  if (sameHolder(lease.holder, mine) || bySession) return lease;
  const { host, pid } = lease.holder;
  throw new FleetError(
    EXIT.guard,
    `${key}: its holder is process ${pid} of ${safeText(host, 60)}, not process ${mine.pid} here`,
  );
}

function keyOf({ args }: Invocation): string {
  const [key = ''] = args;
  if (isClaimKey(key)) return key;
  throw new FleetError(EXIT.usage, `${safeText(key, 60)} can be no key: printable, no spaces, at most 300 characters`, {
    field: 'KEY',
  });
}

function numberOf({ options }: Invocation, name: string): number | undefined {
  const value = options[name];
  return typeof value === 'number' ? value : undefined;
}

function say(state: string, { key, generation }: Lease, changed: boolean, invocation: Invocation, output: Output) {
  const document = { schema: 'session-fleet.task-claim.change.v1', key, generation, state, changed };
  print(output, invocation, document, invocation.quiet ? '' : `${key}: ${state}${changed ? '' : ' before'}`);
  return EXIT.done;
}
