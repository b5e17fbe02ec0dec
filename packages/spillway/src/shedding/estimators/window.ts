/** How many times as long as it should a window lasts at most, for want of samples. */
const LONGEST = 4;

/** How far a window has come: milliseconds, and samples. */
export type WindowProgress = { readonly lasted: number; readonly samples: number };

/**
 * When it has come far enough: it lasts for `ms` and has `enough` samples, or lasts for 4 × `ms`.
 */
export type WindowLength = { readonly ms: number; readonly enough: number };

/** Whether a window is long enough to be judged. Pure. */
export function isOver({ lasted, samples }: WindowProgress, { ms, enough }: WindowLength): boolean {
  return lasted >= ms && (samples >= enough || lasted >= LONGEST * ms);
}
