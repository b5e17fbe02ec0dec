/**
 * Logs domains and keys that no rule has. Their descriptors are admitted, which would otherwise go
 * unnoticed.
 */
import { printable } from "spillway/support";
import { unknownKey } from "../../rules/index.ts";
import type { DecidedCall } from "../../service/index.ts";
import type { LogFields, ServiceLogger } from "./log.ts";

/**
 * The maximum number of names of a sort that are logged while the level is on. Callers that send
 * new names all the time can't fill the log.
 */
const MOST = 100;
const LONGEST_NAME = 100;

/**
 * Logs each unknown domain and each unknown key once, at the level `debug`, and never a value.
 * Starts again after the level was off. At other levels it costs one comparison a request.
 */
export class UnknownKeyLog {
  readonly #log: ServiceLogger;
  readonly #domains: OnceLog;
  readonly #keys: OnceLog;

  constructor(log: ServiceLogger) {
    this.#log = log;
    this.#domains = new OnceLog(log, "Further domains without rules are not named");
    this.#keys = new OnceLog(log, "Further keys without a rule are not named");
  }

  readonly note = ({ request, response, rules }: DecidedCall): void => {
    if (!this.#log.isOn("debug")) {
      this.#domains.clear();
      this.#keys.clear();
      return;
    }
    const domain = printable(request.domain, LONGEST_NAME);
    if (!rules.domains.has(request.domain)) {
      const fields = { event: "unknown domain", domain };
      this.#domains.name(`${domain}: this domain has no rules`, fields);
      return;
    }
    for (const [place, outcome] of response.outcomes.entries()) {
      if (this.#keys.isFull) return;
      if (outcome !== undefined) continue;
      const { entries = [] } = request.descriptors[place] ?? {};
      const unknown = unknownKey(rules, request.domain, entries);
      if (unknown === undefined) continue;
      const path = entries.slice(0, unknown.depth + 1);
      const keys = path.map(({ key }) => printable(key, LONGEST_NAME));
      const fields = { event: "unknown key", domain, keys };
      this.#keys.name(`${domain}: no rule has the key ${keys.join(" > ")}`, fields);
    }
  };
}

/**
 * Logs each name once, up to a hundred names. Then one line says that further names are not logged.
 */
class OnceLog {
  readonly #log: ServiceLogger;
  readonly #end: string;
  readonly #lines = new Set<string>();

  constructor(log: ServiceLogger, end: string) {
    this.#log = log;
    this.#end = end;
  }

  get isFull(): boolean {
    return this.#lines.size >= MOST;
  }

  clear(): void {
    if (this.#lines.size > 0) this.#lines.clear();
  }

  name(line: string, fields: LogFields): void {
    if (this.isFull || this.#lines.has(line)) return;
    this.#lines.add(line);
    this.#log.debug(line, fields);
    if (this.isFull) this.#log.debug(this.#end);
  }
}
