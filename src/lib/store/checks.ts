import { isRecord } from '../record.ts';

/**
 * Checks of what stands in a small JSON file, for files that are read every minute: the schema library takes longer to
 * load than a hundred of them take to read. Each check gives the first thing that is wrong, or undefined.
 */
export type Check = (value: unknown) => Problem | undefined;

export interface Problem {
  /** Path from where the check began: `answer.option`, `options.0.id`; empty for the value itself. */
  field: string;
  problem: string;
}

export const wrong = (problem: string): Problem => ({ field: '', problem });

export const text: Check = (value) => (typeof value === 'string' ? undefined : wrong('not a text'));

export const count: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : wrong('not a whole number');

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export const time: Check = (value) =>
  typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : wrong('not an ISO 8601 time');

export const object: Check = (value) => (isRecord(value) ? undefined : wrong('not an object'));

/** A text that fits `pattern`. */
export const word =
  (pattern: RegExp, problem: string): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : wrong(problem);

/** A list, each of its items as `each` wants it. */
export const list =
  (each: Check, least = 0): Check =>
  (value) => {
    if (!Array.isArray(value)) return wrong('not a list');
    if (value.length < least) return wrong(`fewer than ${least}`);
    return first(value.entries(), each);
  };

/** An object with these fields, those of `optional` only if they are there. Others are not looked at. */
export const fields =
  (needed: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value) => {
    const bad = object(value);
    if (bad !== undefined) return bad;
    const given = value as Record<string, unknown>;
    for (const [name, check] of Object.entries(needed)) {
      const problem = given[name] === undefined ? wrong('missing') : check(given[name]);
      if (problem !== undefined) return below(name, problem);
    }
    for (const [name, check] of Object.entries(optional)) {
      const problem = given[name] === undefined ? undefined : check(given[name]);
      if (problem !== undefined) return below(name, problem);
    }
    return undefined;
  };

function first(entries: Iterable<[number, unknown]>, check: Check): Problem | undefined {
  for (const [at, one] of entries) {
    const problem = check(one);
    if (problem !== undefined) return below(String(at), problem);
  }
  return undefined;
}

function below(name: string, { field, problem }: Problem): Problem {
  return { field: field === '' ? name : `${name}.${field}`, problem };
}
