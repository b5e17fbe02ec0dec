/** Real processes that take from one file at the same time. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Limits } from "../../../src/core/index.ts";
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

const PROGRAM = fileURLToPath(new URL("./asker.ts", import.meta.url));

/** One process that asks. */
export class Asker {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #said = "";
  #complaint = "";

  constructor(errand: Errand) {
    this.#child = spawn(process.execPath, [PROGRAM, JSON.stringify(errand)]);
    this.#ended = once(this.#child, "close");
    this.#child.stdout?.setEncoding("utf8").on("data", (text) => {
      this.#said += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text) => {
      this.#complaint += text;
    });
  }

  /** How often it was admitted, as far as it could tell. */
  get admitted(): number {
    return this.#said.split(".").length - 1;
  }

  /** Waits until it has its connection. */
  ready(): Promise<void> {
    return this.#until(() => this.#said.startsWith("r"));
  }

  begin(): void {
    this.#child.stdin?.write("go");
  }

  /** Kills it as soon as it was answered so often. */
  async killAfter(answers: number): Promise<void> {
    await this.#until(() => this.#said.length > answers);
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  /** Waits until it was refused. */
  async refused(): Promise<void> {
    const [code] = await this.#ended;
    if (code !== 0) throw new Error(`an asker failed: ${this.#complaint}`);
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      const said = once(this.#child.stdout as NodeJS.ReadableStream, "data");
      await Promise.race([said, this.#ended]);
      if (this.#child.exitCode !== null) throw new Error(`an asker ended: ${this.#complaint}`);
    }
  }
}

/** Starts so many, all at once, and lets them begin together. */
export async function startAskers(errands: readonly Errand[]): Promise<readonly Asker[]> {
  const askers = errands.map((errand) => new Asker(errand));
  await Promise.all(askers.map((asker) => asker.ready()));
  for (const asker of askers) asker.begin();
  return askers;
}
