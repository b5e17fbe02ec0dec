/**
 * Draws on each kind that can be lent, with answers computed by hand. Instants are milliseconds
 * after 2026-01-01T00:00:00Z.
 */
import { type Limit, SECOND, type Settlement, type ShareRef } from "../limits/core/index.ts";

/** A draw at an instant, and its answer. */
export type DrawRow = {
  readonly at: number;
  /** A settlement that is sent right before the draw. */
  readonly settle?: Settlement;
  /** Uses the same definition without `share`. */
  readonly isUnlent?: true;
  readonly id: number;
  readonly count?: number;
  readonly want?: number;
  /** The shares that the caller still holds, with the unused units of each, by id. */
  readonly left?: Shares;
  readonly back?: Shares;
  readonly ok: boolean;
  readonly remaining: number;
  readonly retryAfter: number;
  readonly resetAfter: number;
  readonly units: number;
  readonly lasts: number;
  readonly unlisted: readonly number[];
};

/** Units, by the id of their share. */
type Shares = { readonly [id: number]: number };

/** Draws on one key, in order. */
export type DrawVector = {
  readonly name: string;
  readonly limit: Limit;
  readonly rows: readonly DrawRow[];
};

/** Converts shares to the form that they have in a command. Pure. */
export function sharesOf(shares: Shares = {}): readonly ShareRef[] {
  return Object.entries(shares).map(([id, units]) => ({ id: Number(id), units }));
}

type DrawRowInput = Pick<DrawRow, "at" | "id"> & Partial<DrawRow>;
const NOTHING = { retryAfter: 0, units: 0, lasts: 0, unlisted: [] };

const yes = (
  said: DrawRowInput,
  answer: Pick<DrawRow, "remaining" | "resetAfter"> & Partial<DrawRow>,
) => ({
  ...NOTHING,
  ok: true,
  ...said,
  ...answer,
});

const no = (
  said: DrawRowInput,
  answer: Pick<DrawRow, "retryAfter" | "resetAfter"> & Partial<DrawRow>,
) => ({
  ...NOTHING,
  ok: false,
  remaining: 0,
  ...said,
  ...answer,
});

/** All vectors. Each one starts with an unused key. */
export const shareVectors: readonly DrawVector[] = [
  {
    // One unit comes back every 100 ms.
    name: "a share of a token bucket that nobody reports",
    limit: { kind: "token bucket", rate: 10, period: SECOND, share: "1s" },
    rows: [
      // One unit is used and three are lent. Lent units are missing until their share ends.
      yes(
        { at: 0, id: 1, count: 1, want: 3 },
        { remaining: 9, resetAfter: 1300, units: 3, lasts: 1000 },
      ),
      yes({ at: 999, id: 2, left: { 1: 3 } }, { remaining: 7, resetAfter: 301 }),
      // The share has ended. Its units come back from now on.
      yes({ at: 1000, id: 3, left: { 1: 3 } }, { remaining: 7, resetAfter: 300, unlisted: [1] }),
      yes({ at: 1100, id: 4 }, { remaining: 8, resetAfter: 200 }),
    ],
  },
  {
    // One unit comes back every 100 ms. Lent units do not come back until their share ends.
    name: "a share of a token bucket that rests for longer than it takes to be full",
    limit: { kind: "token bucket", rate: 10, period: SECOND, share: "4s" },
    rows: [
      yes({ at: 0, id: 1, want: 5 }, { remaining: 10, resetAfter: 4500, units: 5, lasts: 4000 }),
      yes({ at: 3000, id: 2, count: 3 }, { remaining: 2, resetAfter: 1500 }),
      // The state that the last draw wrote still counts the lent units.
      no({ at: 3000, id: 3, count: 3 }, { remaining: 2, retryAfter: 100, resetAfter: 1500 }),
    ],
  },
  {
    name: "shares of a token bucket that are reported and given back",
    limit: { kind: "token bucket", rate: 10, period: SECOND, share: "1s" },
    rows: [
      yes({ at: 0, id: 1, want: 4 }, { remaining: 10, resetAfter: 1400, units: 4, lasts: 1000 }),
      // Three of the four lent units were used. They come back from now on; the unused one does
      // not.
      yes(
        { at: 200, id: 2, count: 1, want: 1, left: { 1: 1 } },
        { remaining: 5, resetAfter: 1100, units: 1, lasts: 1000 },
      ),
      // A report never raises the units left of a share.
      yes({ at: 200, id: 3, left: { 1: 4 } }, { remaining: 4, resetAfter: 1100 }),
      yes({ at: 300, id: 3, back: { 1: 1, 2: 1 } }, { remaining: 7, resetAfter: 300 }),
      // Giving back the same share again changes nothing.
      yes({ at: 300, id: 3, back: { 1: 1, 2: 1 } }, { remaining: 7, resetAfter: 300 }),
      yes(
        { at: 300, id: 4, left: { 1: 1, 2: 0 } },
        { remaining: 7, resetAfter: 300, unlisted: [1] },
      ),
    ],
  },
  {
    // One unit comes back every second; the capacity is four.
    name: "refusals of a token bucket wait for the end of shares",
    limit: { kind: "token bucket", rate: 1, period: SECOND, capacity: 4, share: "2s" },
    rows: [
      // Lends at most half of the units left, and at most half of the capacity.
      yes({ at: 0, id: 1, want: 9 }, { remaining: 4, resetAfter: 4000, units: 2, lasts: 2000 }),
      yes({ at: 500, id: 2, count: 2, want: 1 }, { remaining: 0, resetAfter: 4000 }),
      no({ at: 500, id: 3, count: 2, want: 1 }, { retryAfter: 2000, resetAfter: 4000 }),
      no({ at: 500, id: 3, count: 3 }, { retryAfter: 3000, resetAfter: 4000 }),
      no({ at: 500, id: 3, count: 5 }, { retryAfter: Number.POSITIVE_INFINITY, resetAfter: 4000 }),
      no({ at: 2499, id: 3, count: 2 }, { retryAfter: 1, resetAfter: 2001, remaining: 1 }),
      yes({ at: 2500, id: 3, count: 2, want: 1 }, { remaining: 0, resetAfter: 4000 }),
    ],
  },
  {
    name: "shares of a fixed window end with it",
    limit: { kind: "fixed window", rate: 6, period: 10 * SECOND, start: 0, share: "4s" },
    rows: [
      yes(
        { at: 1000, id: 1, count: 1, want: 9 },
        { remaining: 5, resetAfter: 9000, units: 3, lasts: 4000 },
      ),
      // The first share has ended. The window counts all its units as used, because the report of
      // the unused one comes too late.
      yes(
        { at: 8000, id: 2, want: 2, left: { 1: 1 } },
        { remaining: 2, resetAfter: 2000, units: 1, lasts: 2000, unlisted: [1] },
      ),
      yes({ at: 9999, id: 3, count: 1, left: { 2: 1 } }, { remaining: 0, resetAfter: 1 }),
      no({ at: 9999, id: 4 }, { retryAfter: 1, resetAfter: 1 }),
      yes({ at: 10_000, id: 5, left: { 2: 1 } }, { remaining: 6, resetAfter: 0, unlisted: [2] }),
    ],
  },
  {
    name: "shares of a sliding window end with it",
    limit: { kind: "sliding window", rate: 6, period: 10 * SECOND, start: 0, share: "10s" },
    rows: [
      yes(
        { at: 1000, id: 1, count: 1, want: 9 },
        { remaining: 5, resetAfter: 19_000, units: 3, lasts: 9000 },
      ),
      yes({ at: 2000, id: 2, back: { 1: 2 } }, { remaining: 4, resetAfter: 18_000 }),
      yes({ at: 10_000, id: 3 }, { remaining: 4, resetAfter: 10_000 }),
      yes({ at: 15_000, id: 4, back: { 1: 1 } }, { remaining: 5, resetAfter: 5000 }),
    ],
  },
  {
    name: "a settlement of more than was taken gives back nothing that is lent",
    limit: { kind: "token bucket", rate: 10, period: SECOND, share: "1s" },
    rows: [
      yes(
        { at: 0, id: 1, count: 1, want: 3 },
        { remaining: 9, resetAfter: 1300, units: 3, lasts: 1000 },
      ),
      // The one unit taken here is refunded. None of the three lent units is reported as used, so
      // none is refunded.
      yes({ at: 0, settle: { reserved: 4, used: 0 }, id: 2 }, { remaining: 7, resetAfter: 1300 }),
      yes({ at: 0, settle: { reserved: 4, used: 0 }, id: 2 }, { remaining: 7, resetAfter: 1300 }),
      // Two of the lent units are reported as used, so the next settlement may refund them.
      yes({ at: 0, id: 3, count: 1, left: { 1: 1 } }, { remaining: 6, resetAfter: 1100 }),
      yes({ at: 0, settle: { reserved: 9, used: 0 }, id: 4 }, { remaining: 9, resetAfter: 1100 }),
      // A unit that has come back by itself is not refunded as well.
      yes({ at: 0, id: 5, count: 1 }, { remaining: 8, resetAfter: 1100 }),
      yes({ at: 100, settle: { reserved: 1, used: 0 }, id: 6 }, { remaining: 9, resetAfter: 1000 }),
      yes({ at: 150, id: 7 }, { remaining: 9, resetAfter: 950 }),
    ],
  },
  {
    name: "a share that is given back while the clock is behind leaves a fresh bucket",
    limit: { kind: "token bucket", rate: 10, period: SECOND, share: "1s" },
    rows: [
      yes({ at: 1000, id: 1, want: 4 }, { remaining: 10, resetAfter: 1400, units: 4, lasts: 1000 }),
      yes({ at: 500, id: 2, back: { 1: 4 } }, { remaining: 10, resetAfter: 0 }),
      // The key is fresh again, so it need not wait until the clock reaches the earlier instant.
      yes({ at: 500, id: 3, count: 1 }, { remaining: 9, resetAfter: 100 }),
      yes({ at: 600, id: 4 }, { remaining: 10, resetAfter: 0 }),
    ],
  },
  {
    name: "shares of a sliding window are of the definition that lent them",
    limit: { kind: "sliding window", rate: 6, period: 10 * SECOND, start: 0, share: "10s" },
    rows: [
      yes({ at: 1000, id: 1, count: 4 }, { remaining: 2, resetAfter: 19_000 }),
      // At 12 s the four units of the previous window count 80 %.
      yes(
        { at: 12_000, id: 2, count: 1, want: 9 },
        { remaining: 1, resetAfter: 18_000, units: 1, lasts: 8000 },
      ),
      // Without `share` both windows have the same units. The lent unit counts as used, and this
      // definition can't take it back.
      yes(
        { at: 13_000, isUnlent: true, id: 3, back: { 2: 1 } },
        { remaining: 1, resetAfter: 17_000 },
      ),
      yes({ at: 13_000, isUnlent: true, id: 3 }, { remaining: 1, resetAfter: 17_000 }),
      yes(
        { at: 19_000, isUnlent: true, id: 4, back: { 2: 1 } },
        { remaining: 3, resetAfter: 11_000 },
      ),
      yes({ at: 19_000, id: 5, left: { 2: 1 } }, { remaining: 3, resetAfter: 11_000 }),
      yes({ at: 19_000, id: 6, back: { 2: 1 } }, { remaining: 4, resetAfter: 11_000 }),
      yes({ at: 19_000, isUnlent: true, id: 7 }, { remaining: 3, resetAfter: 11_000 }),
    ],
  },
  {
    name: "a sliding window of which nothing was lent before keeps both windows",
    limit: { kind: "sliding window", rate: 6, period: 10 * SECOND, start: 0, share: "10s" },
    rows: [
      yes({ at: 1000, isUnlent: true, id: 1, count: 4 }, { remaining: 2, resetAfter: 19_000 }),
      yes(
        { at: 12_000, id: 2, count: 1, want: 9 },
        { remaining: 1, resetAfter: 18_000, units: 1, lasts: 8000 },
      ),
      // The lent unit counts as used under both definitions.
      yes({ at: 19_000, isUnlent: true, id: 3 }, { remaining: 3, resetAfter: 11_000 }),
      yes({ at: 19_000, id: 4, back: { 2: 1 } }, { remaining: 4, resetAfter: 11_000 }),
    ],
  },
  {
    name: "shares and their definition go back with the clock",
    limit: { kind: "sliding window", rate: 6, period: 10 * SECOND, start: 0, share: "10s" },
    rows: [
      yes(
        { at: 30_000, id: 1, count: 1, want: 1 },
        { remaining: 5, resetAfter: 20_000, units: 1, lasts: 10_000 },
      ),
      // The clock goes back so far that the state moves back two windows, to the window that begins
      // next.
      yes({ at: 1000, isUnlent: true, id: 2 }, { remaining: 4, resetAfter: 29_000 }),
      yes({ at: 1000, id: 3, left: { 1: 1 } }, { remaining: 4, resetAfter: 29_000 }),
      yes(
        { at: 20_000, id: 4, left: { 1: 1 } },
        { remaining: 4, resetAfter: 10_000, unlisted: [1] },
      ),
    ],
  },
];
