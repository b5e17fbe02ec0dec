import type { Budget, Clock } from "../../core/index.ts";
import type { Call, Reply, Transport } from "../../remote/index.ts";
import type { Connection } from "./clients/connect.ts";
import type { Keys } from "./keys.ts";
import { ScriptReply } from "./reply.ts";
import { Request } from "./request.ts";
import { SCRIPT } from "./script.generated.ts";
import { slotOf } from "./slot.ts";

/** How clients say that a server does not know a script. */
const UNKNOWN = /^NOSCRIPT|NoScriptError/;

/** Carries calls to Redis: each request is one call of the script. */
export class RedisTransport implements Transport {
  // Few enough that client and server work at the same time, and that a server's only thread is never
  // busy with one request for long; enough to share what a request costs.
  readonly mostBudgets = 128;
  readonly #connection: Connection;
  readonly #keys: Keys;
  readonly #clock: Clock | undefined;
  #ready: Promise<void> | undefined;

  /** @param clock In place of the server's own, for tests. */
  constructor(connection: Connection, keys: Keys, clock: Clock | undefined) {
    this.#connection = connection;
    this.#keys = keys;
    this.#clock = clock;
  }

  placeOf(budget: Budget): number {
    return this.#connection.isCluster ? slotOf(this.#keys.stateKey(budget)) : 0;
  }

  nodeOf(place: number): string {
    return this.#connection.nodeOf(place);
  }

  trouble(): Error | undefined {
    return this.#connection.unready() === undefined ? undefined : this.#connection.lastError();
  }

  async send(_place: number, calls: readonly Call[], late: () => boolean): Promise<Reply> {
    const unready = this.#connection.unready();
    if (unready !== undefined) await this.#wait(unready);
    // A queue of the client's would hold what nobody waits for any more.
    if (late()) throw new Error("the connection was ready too late");
    const request = new Request(calls, this.#keys);
    return new ScriptReply(request, await this.#run(request));
  }

  async #run(request: Request): Promise<unknown> {
    const values = request.arguments(this.#clock?.());
    const { keys, logKeys } = request;
    const all = logKeys.length === 0 ? keys : [...keys, ...logKeys];
    try {
      return await this.#connection.runKnown(SCRIPT, all, values);
    } catch (error) {
      // A node that has restarted, flushed its scripts or taken over knows none. It did nothing yet.
      if (!UNKNOWN.test(String((error as Error)?.message))) throw error;
      return this.#connection.run(SCRIPT, all, values);
    }
  }

  /** Waits for a connection that is being made: one listener, however many wait. */
  #wait(unready: "soon" | Error): Promise<void> {
    if (unready !== "soon") throw unready;
    this.#ready ??= new Promise<void>((resolve) => {
      this.#connection.onceReady(() => {
        this.#ready = undefined;
        resolve();
      });
    });
    return this.#ready;
  }
}
