/** Says what the worker is at: `well` lines are news, the others are trouble. */
export type Say = (words: string, kind: 'well' | 'trouble') => void;
