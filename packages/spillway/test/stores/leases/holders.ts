/** Real processes that compete for leases, and what they were in flight together. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Concurrency } from "../../../src/core/index.ts";
import type { Place } from "./places.ts";

/** What a process is to do: be in flight so many times, in so many places at once. */
export type Errand = {
  readonly place: Place;
  readonly limit: Concurrency;
  readonly atOnce: number;
  readonly times: number;
};

/** A time in flight: nanoseconds, and units. */
export type Flight = { readonly from: bigint; readonly to: bigint; readonly count: number };

const PROGRAM = fileURLToPath(new URL("./holder.ts", import.meta.url));

/** One process that holds leases. */
export class Holder {
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

  /** The times in flight that it has told of. */
  get flights(): readonly Flight[] {
    return this.#said
      .split("\n")
      .slice(1, -1)
      .map((line) => {
        const [from = "", to = "", count] = line.split(" ");
        return { from: BigInt(from), to: BigInt(to), count: Number(count) };
      });
  }

  ready(): Promise<void> {
    return this.#until(() => this.#said.startsWith("r"));
  }

  begin(): void {
    this.#child.stdin?.write("go");
  }

  /** Kills it once it was in flight so often: whatever it holds then is never given back. */
  async killAfter(flights: number): Promise<void> {
    await this.#until(() => this.flights.length >= flights);
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  /** Waits until it is done. @throws Error where it failed */
  async done(): Promise<void> {
    const [code] = await this.#ended;
    if (code !== 0) throw new Error(`a holder failed: ${this.#complaint}`);
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      const said = once(this.#child.stdout as NodeJS.ReadableStream, "data");
      await Promise.race([said, this.#ended]);
      if (this.#child.exitCode !== null) throw new Error(`a holder ended: ${this.#complaint}`);
    }
  }
}

/** Starts so many, and lets them begin together. */
export async function startHolders(errands: readonly Errand[]): Promise<readonly Holder[]> {
  const holders = errands.map((errand) => new Holder(errand));
  await Promise.all(holders.map((holder) => holder.ready()));
  for (const holder of holders) holder.begin();
  return holders;
}

/** The most units that were ever in flight at one instant. */
export function mostInFlight(flights: readonly Flight[]): number {
  const changes = flights.flatMap(({ from, to, count }) => [
    { at: from, change: count },
    { at: to, change: -count },
  ]);
  // What ends in the instant in which something else begins is over then.
  changes.sort((one, other) =>
    one.at === other.at ? one.change - other.change : one.at < other.at ? -1 : 1,
  );
  let [most, inFlight] = [0, 0];
  for (const { change } of changes) {
    inFlight += change;
    most = Math.max(most, inFlight);
  }
  return most;
}
