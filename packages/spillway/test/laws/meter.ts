import type { Plan } from "../../src/limits/core/index.ts";

/** Counts what one definition admits: any span, as a bucket, a window or an estimate would. */
export class Meter {
  readonly #plan: Plan;
  /** Admissions that count, by instant. */
  #admitted: { readonly at: number; readonly units: number }[] = [];

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  reset(): void {
    this.#admitted = [];
  }

  add(at: number, units: number): void {
    if (units > 0) this.#admitted.push({ at, units });
  }

  /** How much more than promised was admitted, in units times the period. */
  get excess(): number {
    this.#admitted.sort((one, other) => one.at - other.at);
    const { kind } = this.#plan;
    if (kind === "token bucket") return this.#dripping();
    return kind === "fixed window" ? this.#windowed() : this.#sliding();
  }

  #dripping(): number {
    const { capacity, rate, period } = this.#plan;
    let [level, since, most] = [0, 0, 0];
    for (const { at, units } of this.#admitted) {
      level = Math.max(0, level - (at - since) * rate) + units * period;
      since = at;
      most = Math.max(most, level);
    }
    return most - capacity * period;
  }

  #windowed(): number {
    const { capacity, rate, period } = this.#plan;
    let [level, window, most] = [0, 0, 0];
    for (const { at, units } of this.#admitted) {
      const its = Math.floor(at / period);
      level = Math.max(0, level - (its - window) * rate) + units;
      window = its;
      most = Math.max(most, level);
    }
    return (most - capacity) * period;
  }

  #sliding(): number {
    const { rate, period } = this.#plan;
    const counts = new Map<number, number>();
    let most = 0;
    for (const { at, units } of this.#admitted) {
      const window = Math.floor(at / period);
      counts.set(window, (counts.get(window) ?? 0) + units);
      const left = period - (at % period);
      const before = (counts.get(window - 1) ?? 0) * left;
      most = Math.max(most, (counts.get(window) ?? 0) * period + before);
    }
    return most - rate * period;
  }
}
