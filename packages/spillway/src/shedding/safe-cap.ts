import { abandon, badOption, checkWhole, isWhole, requireFunction } from "../internal/index.ts";
import { type CapEstimator, type CapSample, MOST_CAP } from "./estimators/cap-estimator.ts";
import { errorOf, Failures, type OnProblem } from "./signals/failures.ts";

const BOUNDS = { least: 1, most: MOST_CAP };

/**
 * A cap that can't fail: if its estimator throws or returns an invalid number, the last one is
 * kept.
 *
 * So an estimator can neither stop callers nor leave the work in flight unbounded. `onProblem`
 * receives each kind of failure once, and again only after a success in between.
 */
export class SafeCap implements CapEstimator {
  readonly #estimator: CapEstimator;
  readonly #failures: { readonly [Part in keyof CapEstimator]: Failures };
  #last: number;

  /** @throws SpillwayError `bad-option` if it is not an estimator, or its first cap is invalid. */
  constructor(estimator: CapEstimator, onProblem: OnProblem) {
    requireFunction("cap.learn", estimator?.learn);
    requireFunction("cap.backOff", estimator?.backOff);
    const { cap } = estimator;
    checkWhole("cap.cap", cap, BOUNDS);
    this.#estimator = estimator;
    const failures = () => new Failures(onProblem);
    this.#failures = { cap: failures(), learn: failures(), backOff: failures() };
    this.#last = cap;
  }

  get cap(): number {
    this.#safely("cap", () => {
      const { cap } = this.#estimator;
      if (!isWhole(cap, BOUNDS)) {
        abandon(cap);
        throw noCap(cap);
      }
      this.#last = cap;
    });
    return this.#last;
  }

  learn(sample: CapSample): void {
    this.#safely("learn", () => this.#estimator.learn(sample));
  }

  backOff(): void {
    this.#safely("backOff", () => this.#estimator.backOff());
  }

  #safely(part: keyof CapEstimator, act: () => unknown): void {
    try {
      const done = act();
      // The promise is not awaited, and an unhandled rejection would end the process.
      abandon(done);
      this.#failures[part].forget();
    } catch (thrown) {
      const error = errorOf(thrown);
      this.#failures[part].report({ kind: error.name, error });
    }
  }
}

function noCap(value: unknown) {
  const expected = `a whole number from ${BOUNDS.least} to ${BOUNDS.most}`;
  return badOption("cap.cap", value, expected);
}
