import type { ParseOptions } from "../../rules/index.ts";
import type { Service } from "../../service/index.ts";
import { parseAside } from "../reload/index.ts";
import { type Heard, onHeard, say } from "./primary-link.ts";

/** Follows the rules of the primary process, one change after the other. */
export class FollowedRules {
  readonly #parse: ParseOptions;
  #prepare: Service["prepareRules"] = () => () => {};
  #isKept = () => {};
  #onBad = () => {};
  #last: Promise<void> = new Promise((resolve) => {
    this.#isKept = resolve;
  });
  trouble: string | undefined;
  /** The last rules that may be used. */
  #used = 0;
  #onUse = () => {};

  constructor(parse: ParseOptions) {
    this.#parse = parse;
    onHeard("trouble", ({ trouble }) => this.#note(trouble));
    onHeard("rules", (message) => this.#apply(message));
    onHeard("use", ({ round }) => {
      this.#used = round;
      this.#onUse();
    });
  }

  /** Has a service decide by all rules that come, and that have come meanwhile. */
  keep(service: Pick<Service, "prepareRules">, onBad: () => void): void {
    this.#onBad = onBad;
    this.#prepare = (rules) => service.prepareRules(rules);
    this.#isKept();
  }

  /** Waits until the primary says that all are ready. */
  async #mayUse(round: number): Promise<void> {
    while (this.#used < round) {
      await new Promise<void>((resolve) => {
        this.#onUse = resolve;
      });
    }
  }

  #note(trouble: string | undefined): void {
    this.trouble = trouble;
    if (trouble !== undefined) this.#onBad();
  }

  #apply({ files, round }: Heard<"rules">): void {
    this.#last = this.#last.then(async () => {
      // They have been checked: what throws here is a mistake of the service's own.
      const { rules } = await parseAside(files, this.#parse);
      const use = await this.#prepare(rules);
      say({ type: "prepared", round });
      await this.#mayUse(round);
      use();
      say({ type: "applied", round });
    });
  }
}
