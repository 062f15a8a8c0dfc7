import type { Context } from '../context.ts';
import type { OptionValues } from './spec.ts';

/** The context with what the command line overrides of the cap. */
export function withCapOptions(context: Context, options: OptionValues): Context {
  const { max, memoryFloor, ttl } = options;
  return {
    ...context,
    policy: {
      ...context.policy,
      cap: {
        max: typeof max === 'number' ? max : context.policy.cap.max,
        memoryFloor: typeof memoryFloor === 'number' ? memoryFloor : context.policy.cap.memoryFloor,
        reservationTtl: typeof ttl === 'number' ? ttl : context.policy.cap.reservationTtl,
      },
    },
  };
}
