/** The rules of a sweep, in the order they are asked. */
export const RULES = ['liveness', 'release', 'exit-ladder', 'wake', 'revival', 'mirror'] as const;
export type RuleName = (typeof RULES)[number];

/** What one rule says of one task: whether it fires, which of its cases holds, and why in words. */
export interface Verdict<Kind extends string = string> {
  rule: RuleName;
  kind: Kind;
  fires: boolean;
  words: string;
}

/** Makes the verdicts of one rule. */
export function verdictsOf<Kind extends string>(rule: RuleName) {
  return {
    fires: (kind: Kind, words: string): Verdict<Kind> => ({ rule, kind, fires: true, words }),
    rests: (kind: Kind, words: string): Verdict<Kind> => ({ rule, kind, fires: false, words }),
  };
}
