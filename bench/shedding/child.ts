/** The processes of a trial, as the one that started them sees them. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ClosedLoad } from "./closed-load.ts";
import type { Order } from "./generator.ts";
import type { OpenLoad } from "./open-load.ts";
import type { ServerSettings } from "./server.ts";
import type { Observation } from "./tally.ts";

/** A process that sends messages; ends with its scope. */
class Child implements AsyncDisposable {
  readonly process: ChildProcess;

  constructor(file: string, args: readonly string[] = []) {
    const path = fileURLToPath(new URL(file, import.meta.url));
    this.process = fork(path, args, {
      execArgv: [],
      // Numbers stay what they are, NaN included.
      serialization: "advanced",
      // Its output is about the run, not its result.
      stdio: ["ignore", 2, 2, "ipc"],
    });
  }

  /** The next message. @throws Error where the process ends instead */
  async message(): Promise<unknown> {
    const ended = new AbortController();
    const end = () => ended.abort();
    this.process.once("exit", end);
    try {
      return (await once(this.process, "message", { signal: ended.signal }))[0];
    } catch (cause) {
      throw new Error(`${this.process.spawnargs.slice(1).join(" ")} ended`, { cause });
    } finally {
      this.process.off("exit", end);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await exit;
  }
}

/** A server that listens. */
export type Server = AsyncDisposable & { readonly port: number };

/** Starts one behind a contender. */
export async function startServer(settings: ServerSettings): Promise<Server> {
  const child = new Child("./server.ts", [JSON.stringify(settings)]);
  const port = (await child.message()) as number;
  return { port, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}

/** Sends loads from a process of its own, one at a time. */
export class Generator implements AsyncDisposable {
  readonly #child = new Child("./generator.ts");

  open(load: OpenLoad): Promise<Observation> {
    return this.#order({ open: load }) as Promise<Observation>;
  }

  /** Answers a second. */
  closed(load: ClosedLoad): Promise<number> {
    return this.#order({ closed: load }) as Promise<number>;
  }

  #order(order: Order): Promise<unknown> {
    this.#child.process.send(order);
    return this.#child.message();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]();
  }
}
