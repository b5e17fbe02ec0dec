/** Descriptors that no rule is for since none has their key: let through, which nobody would see. */
import { printable } from "spillway/core";
import { unknownKey } from "../../rules/index.ts";
import type { Decided } from "../../service/index.ts";
import type { Log } from "./log.ts";

/** Keys that are named while the level is on: whoever sends others all the time fills no log. */
const MOST = 100;
const LONGEST_KEY = 100;

/**
 * Names each key once, at the level `debug`, and never a value; anew when the level was off in between.
 * Without the level it costs one comparison a request.
 */
export class UnknownKeyLog {
  readonly #log: Log;
  readonly #named = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  readonly note = ({ request, response, rules }: Decided): void => {
    if (!this.#log.isOn("debug")) {
      if (this.#named.size > 0) this.#named.clear();
      return;
    }
    for (const [place, outcome] of response.outcomes.entries()) {
      if (this.#named.size >= MOST) return;
      if (outcome !== undefined) continue;
      const { entries = [] } = request.descriptors[place] ?? {};
      const unknown = unknownKey(rules, request.domain, entries);
      if (unknown === undefined) continue;
      const path = entries.slice(0, unknown.depth + 1).map(({ key }) => key);
      this.#name(request.domain, path);
    }
  };

  #name(domain: string, path: readonly string[]): void {
    const keys = path.map((key) => printable(key, LONGEST_KEY));
    const text = `${printable(domain, LONGEST_KEY)}: no rule has the key ${keys.join(" > ")}`;
    if (this.#named.has(text)) return;
    this.#named.add(text);
    this.#log.debug(text, { event: "unknown key", domain, keys });
    if (this.#named.size === MOST) this.#log.debug("Further keys without a rule are not named");
  }
}
