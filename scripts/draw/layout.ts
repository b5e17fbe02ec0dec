/** Where things stand in a picture; pixels from its upper left corner. */
import { LENGTH } from "./pattern.ts";

export const WIDTH = 760;
const LEFT = 92;
const RIGHT = 736;

/** Where an instant of the pattern stands. */
export function across(at: number): number {
  return LEFT + (at / LENGTH) * (RIGHT - LEFT);
}

/** The heights of a picture's parts. */
export type Layout = {
  /** The lowest of the asks that come at one instant. */
  readonly asks: number;
  /** Where delayed work starts; undefined where nothing is delayed. */
  readonly starts: number | undefined;
  /** The curve's top, which stands for the capacity, and its bottom, for 0. */
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
};

const PLAIN: Layout = { asks: 200, starts: undefined, top: 232, bottom: 302, height: 342 };
const DELAYED: Layout = { asks: 200, starts: 246, top: 278, bottom: 348, height: 388 };

export function layoutFor({ delayed }: { readonly delayed: boolean }): Layout {
  return delayed ? DELAYED : PLAIN;
}
