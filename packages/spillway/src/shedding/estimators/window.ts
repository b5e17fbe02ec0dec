/** The longest length of a window with too few samples, as a multiple of its usual length. */
const LONGEST = 4;

/** The length of a window so far, in milliseconds, and its number of samples. */
export type WindowProgress = { readonly lasted: number; readonly samples: number };

/** The required length: `ms` milliseconds with `enough` samples, or 4 × `ms`. */
export type WindowLength = { readonly ms: number; readonly enough: number };

/** Returns whether a window is long enough to be judged. Pure. */
export function isOver({ lasted, samples }: WindowProgress, { ms, enough }: WindowLength): boolean {
  return lasted >= ms && (samples >= enough || lasted >= LONGEST * ms);
}
