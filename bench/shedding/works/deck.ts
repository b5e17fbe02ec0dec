/** Costs of requests at random, without luck: so many requests together always cost the same. Pure. */
import type { Random } from "spillway";
import { seededRandom } from "spillway/testing";

/** Requests after which all costs have been dealt once. The room is measured over as many. */
export const DECK = 500;

/** Draws one number. */
type Draw = (random: Random) => number;

/** So many draws, the same in every run, scaled to a mean of so many milliseconds. */
export function deckOf(draw: Draw, { mean }: { readonly mean: number }): readonly number[] {
  const random = seededRandom(1);
  const drawn = Array.from({ length: DECK }, () => draw(random));
  const scale = (mean * DECK) / drawn.reduce((sum, each) => sum + each);
  return drawn.map((each) => each * scale);
}

/** Deals the deck in a random order, again and again in another one. */
export function dealer(deck: readonly number[]): () => number {
  const random = seededRandom(2);
  let left: number[] = [];
  return () => {
    if (left.length === 0) left = [...deck];
    const index = Math.floor(random() * left.length);
    return left.splice(index, 1)[0] as number;
  };
}

/** A tenth costs fifty times as much as the rest. */
export const MIXED: readonly number[] = Array.from({ length: DECK }, (_, index) =>
  index % 10 === 0 ? 50 : 1,
);

export const exponential: Draw = (random) => -Math.log(1 - random());

/** A sigma of 1.5: the most expensive hundredth costs a fifth of all. */
export const lognormal: Draw = (random) => {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(1.5 * normal);
};
