/** The processes of a trial, as the one that started them sees them. */
import { Child } from "../child.ts";
import type { ClosedLoad } from "./closed-load.ts";
import type { Order } from "./generator.ts";
import type { OpenLoad } from "./open-load.ts";
import type { ServerSettings } from "./server.ts";
import type { Observation } from "./tally.ts";

/** A server that listens. */
export type Server = AsyncDisposable & { readonly port: number };

/** Starts one behind a contender. */
export async function startServer(settings: ServerSettings): Promise<Server> {
  const child = new Child(new URL("./server.ts", import.meta.url), [JSON.stringify(settings)]);
  const port = (await child.message()) as number;
  return { port, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}

/** Sends loads from a process of its own, one at a time. */
export class Generator implements AsyncDisposable {
  readonly #child = new Child(new URL("./generator.ts", import.meta.url));

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
