/** Real processes that take from one file at the same time. */
import type { Limits } from "../../../src/limits/core/index.ts";
import { beginTogether, Child } from "../child.ts";
import type { drivers } from "./drivers.ts";

/** What a process is to do: take from all of the limits together. */
export type Errand = {
  readonly path: string;
  readonly driver: keyof typeof drivers;
  readonly limits: Limits;
  readonly until: "refused" | "killed";
  /** Whether it asks within transactions of its own, which begin without the lock for writing. */
  readonly within: boolean;
};

const PROGRAM = new URL("./asker.ts", import.meta.url);

/** One process that asks. */
export class Asker extends Child {
  constructor(errand: Errand) {
    super(PROGRAM, errand);
  }

  /** How often it was admitted, as far as it could tell. */
  get admitted(): number {
    return this.said.split(".").length - 1;
  }

  /** Kills it as soon as it was answered so often. */
  killAfter(answers: number): Promise<void> {
    return this.killWhen(() => this.said.length > answers);
  }
}

/** Starts so many, all at once, and lets them begin together. */
export function startAskers(errands: readonly Errand[]): Promise<readonly Asker[]> {
  return beginTogether(errands.map((errand) => new Asker(errand)));
}
