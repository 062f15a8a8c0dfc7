import { readFileSync } from 'node:fs';
import { EXIT, errnoOf, FleetError, messageOf } from '../errors.ts';
import { DEFAULT_POLICY, type Policy } from '../policy.ts';

/**
 * The policy in force: defaults overlaid by the config file. No file is no error unless `required` (it was named by
 * $FLEET_CONFIG). Throws FleetError 78 that names the file and the field. The schema library is loaded only when there is a file.
 */
export async function loadPolicy(configFile: string, required: boolean): Promise<Policy> {
  let text: string;
  try {
    text = readFileSync(configFile, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && !required) return DEFAULT_POLICY;
    throw new FleetError(EXIT.config, `${configFile}: ${messageOf(error)}`, { file: configFile });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FleetError(EXIT.config, `${configFile}: not JSON: ${messageOf(error)}`, { file: configFile });
  }
  const { parseConfig } = await import('./config-schema.ts');
  const parsed = parseConfig(value);
  if (!parsed.ok) {
    throw new FleetError(EXIT.config, `${configFile}: ${parsed.field}: ${parsed.problem}`, {
      file: configFile,
      field: parsed.field,
    });
  }
  const { config } = parsed;
  return {
    cap: overlay(DEFAULT_POLICY.cap, config.cap),
    exit: overlay(DEFAULT_POLICY.exit, config.exit),
    expire: overlay(DEFAULT_POLICY.expire, config.expire),
    wake: overlay(DEFAULT_POLICY.wake, config.wake),
    revive: overlay(DEFAULT_POLICY.revive, config.revive),
    breaker: overlay(DEFAULT_POLICY.breaker, config.breaker),
    watcher: {
      ...overlay(DEFAULT_POLICY.watcher, { ...config.watcher, temporal: undefined }),
      temporal: overlay(DEFAULT_POLICY.watcher.temporal, config.watcher?.temporal),
    },
    claims: overlay(DEFAULT_POLICY.claims, config.claims),
    roster: overlay(DEFAULT_POLICY.roster, config.roster),
    architect: overlay(DEFAULT_POLICY.architect, config.architect),
    policy: overlay(DEFAULT_POLICY.policy, config.policy),
  };
}

function overlay<T extends object>(base: T, over: { [K in keyof T]?: T[K] | undefined } | undefined): T {
  const set = Object.entries(over ?? {}).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(set) };
}
