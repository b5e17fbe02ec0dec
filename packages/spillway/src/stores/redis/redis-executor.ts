import { afterDelay, type Budget, type Clock, type Command } from "../../core/index.ts";
import {
  type Executor,
  type Outcome,
  PortRequest,
  type RequestInfo,
  replay,
} from "../../store/index.ts";
import { argumentsOf } from "./arguments.ts";
import type { Connection } from "./clients/connect.ts";
import type { Keys } from "./keys.ts";
import { ScriptReply } from "./reply.ts";
import { SCRIPT } from "./script.generated.ts";
import { slotOf } from "./slot.ts";

/** Milliseconds between two looks at a connection that is being made. */
const LOOK_AGAIN = 2;

/** Errors of a slot that is being moved: its node is well. */
const OF_A_SLOT = /^(?:TRYAGAIN|MOVED|ASK|CROSSSLOT)\b/;

/** How clients say that a server does not know a script. */
const UNKNOWN = /^NOSCRIPT|NoScriptError/;

/** Carries out commands in Redis: each request is one call of the script. */
export class RedisExecutor implements Executor<"later"> {
  readonly mode = "later";
  readonly name = "redis";
  // Few enough that client and server work at the same time, and that a server's only thread is never
  // busy with one request for long; enough to share what a request costs.
  readonly mostBudgets = 128;
  // Some milliseconds of a server's work.
  readonly mostInFlight = 1024;
  readonly #connection: Connection;
  readonly #keys: Keys;
  readonly #clock: Clock | undefined;

  /** @param clock In place of the server's own, for tests. */
  constructor(connection: Connection, keys: Keys, clock: Clock | undefined) {
    this.#connection = connection;
    this.#keys = keys;
    this.#clock = clock;
  }

  slotOf(budget: Budget): number {
    if (this.#connection.isCluster) return slotOf(this.#keys.stateKey(budget));
    this.#keys.checkTag(budget);
    return 0;
  }

  nodeOf(slot: number): string {
    return this.#connection.nodeOf(slot);
  }

  blamesNode({ message }: Error): boolean {
    return !OF_A_SLOT.test(message);
  }

  trouble(): Error | undefined {
    return this.#connection.unready() === undefined ? undefined : this.#connection.lastError();
  }

  async execute(
    commands: readonly Command[],
    { isLate, observer }: RequestInfo,
  ): Promise<readonly Outcome[]> {
    await this.#ready(isLate);
    const request = new PortRequest(commands, (budget) => this.#keys.stateKey(budget));
    const reply = new ScriptReply(request, this.#keys, await this.#run(request, isLate));
    return replay(commands, reply, observer);
  }

  async #run(request: PortRequest, isLate: () => boolean): Promise<unknown> {
    const values = argumentsOf(request, this.#clock?.());
    const all = [...request.names, ...this.#keys.logKeys(request)];
    try {
      return await this.#connection.runKnown(SCRIPT, all, values);
    } catch (error) {
      // A node that has restarted, flushed its scripts or taken over knows none. It did nothing yet.
      if (!UNKNOWN.test(String((error as Error)?.message)) || isLate()) throw error;
      return this.#connection.run(SCRIPT, all, values);
    }
  }

  /**
   * Waits until the client can send, for as long as somebody waits for the answer: the client's own
   * queue would hold what nobody waits for any more.
   */
  async #ready(isLate: () => boolean): Promise<void> {
    for (;;) {
      const unready = this.#connection.unready();
      if (unready === undefined) return;
      if (unready !== "soon") throw unready;
      if (isLate()) throw new Error("the connection was ready too late");
      await new Promise<void>((resolve) => afterDelay(LOOK_AGAIN, resolve));
    }
  }
}
