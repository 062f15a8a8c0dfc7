import * as z from 'zod';

/** Fields that documents share: times ISO 8601 UTC, sizes in bytes, durations in ms. */
export const time = z.iso.datetime();
export const bytes = z.int().min(0);
export const ms = z.int().min(0);
export const count = z.int().min(0);
export const answer = z.enum(['yes', 'no', 'unknown']);
export const kind = z.enum(['interactive', 'background', 'unknown']);
