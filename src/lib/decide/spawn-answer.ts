/** What a background resume answered with, and whether the session it was to continue lives. */
export interface AnswerFacts {
  resumed: string;
  shortId: string;
  /** What claude said beside it. */
  said: string;
  oldLives: 'yes' | 'no' | 'unknown';
}

/**
 * Whether `--bg --resume` went on as the same session, started a copy beside one that runs (2.1.328 says so in a note: two
 * Drivers of one task), or gave the conversation a new id, as older versions did each time (2.1.245; facts, "Identity"). An id
 * of which it can't be told is a copy: that is stopped, which costs one start.
 */
export function answeredAs({ resumed, shortId, said, oldLives }: AnswerFacts): 'same' | 'copy' | 'new-id' {
  if (resumed.startsWith(shortId)) return 'same';
  if (/\bcopy\b/i.test(said) || oldLives !== 'no') return 'copy';
  return 'new-id';
}
