import type { ParseOptions } from "../../rules/index.ts";
import type { Service } from "../../service/index.ts";
import { parseAside } from "../reload/index.ts";
import { onMessage, type PrimaryMessage, sendMessage } from "./primary-link.ts";

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
  /** The latest round whose rules may be used. */
  #used = 0;
  #onUse = () => {};

  constructor(parse: ParseOptions) {
    this.#parse = parse;
    onMessage("trouble", ({ trouble }) => this.#note(trouble));
    onMessage("rules", (message) => this.#apply(message));
    onMessage("use", ({ round }) => {
      this.#used = round;
      this.#onUse();
    });
  }

  /** Puts received rules into use: those already received, and each later one. */
  keep(service: Pick<Service, "prepareRules">, onBad: () => void): void {
    this.#onBad = onBad;
    this.#prepare = (rules) => service.prepareRules(rules);
    this.#isKept();
  }

  /** Waits until the primary process reports that all workers are ready. */
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

  #apply({ files, round }: PrimaryMessage<"rules">): void {
    this.#last = this.#last.then(async () => {
      // The rules have been checked, so an error here is a fault of the service itself.
      const { rules } = await parseAside(files, this.#parse);
      const use = await this.#prepare(rules);
      sendMessage({ type: "prepared", round });
      await this.#mayUse(round);
      use();
      sendMessage({ type: "applied", round });
    });
  }
}
