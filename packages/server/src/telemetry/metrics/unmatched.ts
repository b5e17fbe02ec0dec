/** Counts descriptors that no rule matches. A domain named by a caller never becomes a label. */
import type { DecidedCall } from "../../service/index.ts";
import { alone, counter, type Series } from "./series.ts";
import { LabelledCounter } from "./tally.ts";

export class UnmatchedCounter {
  readonly #byDomain = new LabelledCounter("domain");
  #unknown = 0;

  note({ request, response, rules }: DecidedCall): void {
    let without = 0;
    for (const outcome of response.outcomes) if (outcome === undefined) without++;
    if (without === 0) return;
    if (rules.domains.has(request.domain)) this.#byDomain.add(request.domain, "", without);
    else this.#unknown++;
  }

  keep(isKept: (domain: string) => boolean): void {
    this.#byDomain.keep(isKept);
  }

  get series(): readonly Series[] {
    return [
      counter("spillway_unmatched_descriptors_total", () => this.#byDomain.read()),
      counter(
        "spillway_unknown_domain_requests_total",
        alone(() => this.#unknown),
      ),
    ];
  }
}
