/** Counts descriptors that no rule matches. A domain named by a caller never becomes a label. */
import type { Decided } from "../../service/index.ts";
import { alone, counter, type Series } from "./series.ts";
import { Tally } from "./tally.ts";

export class Unmatched {
  readonly #byDomain = new Tally("domain");
  #unknown = 0;

  note({ request, response, rules }: Decided): void {
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
