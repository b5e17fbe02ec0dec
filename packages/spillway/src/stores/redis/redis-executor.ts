import {
  afterDelay,
  type Budget,
  type Clock,
  type Command,
  type RegisterAnswer,
  type RegisterCommand,
} from "../../limits/core/index.ts";
import {
  type CommandOutcome,
  type Executor,
  PortRequest,
  type RequestInfo,
  replay,
} from "../index.ts";
import type { RedisDriver } from "./clients/connect.ts";
import { ONLY_NODE, type Script } from "./clients/connection.ts";
import { quiet } from "./clients/quiet.ts";
import { isMissingTogether, isOfSlot, isRefusedWrite } from "./errors.ts";
import type { RedisKeys } from "./redis-keys.ts";
import { readRegisterReply, registerArguments } from "./register-script.ts";
import { REGISTER_SCRIPT, SCRIPT } from "./script.generated.ts";
import { argumentsOf, readReply } from "./script-protocol.ts";
import { slotOf } from "./slot.ts";

/** How clients report that a server does not have a script. */
const UNKNOWN = /^NOSCRIPT|NoScriptError/;

/** The time between two checks of a connection that is being opened, in milliseconds. */
const LOOK_AGAIN = 2;

/**
 * Returns the maximum number of budgets in flight to one node: some milliseconds of the server's
 * work.
 *
 * In a cluster each key is a request of its own, which costs the client work as well. So a node
 * gets 32 requests. If the client does not distinguish nodes, 16 ranges of slots stand for them,
 * with 64 requests in all.
 */
function mostInFlight({ isCluster, knowsNodes }: RedisDriver): number {
  if (!isCluster) return 1024;
  return knowsNodes ? 256 : 32;
}

/** A call of a script. All keys are in one slot. */
type ScriptCall = { readonly script: Script; readonly keys: string[]; readonly values: string[] };

type SendInfo = Pick<RequestInfo, "slot" | "isLate">;

/** A call that carries a script's source. */
type ScriptLoad = {
  /** Resolves when the call has ended, even if it failed. */
  readonly ended: Promise<unknown>;
  readonly isLate: () => boolean;
};

/**
 * Carries out commands in Redis: each request is one call of the script, by its hash. A node that
 * has restarted, flushed its scripts or taken over does not know it: then one call carries the
 * script, and the others that failed wait for that one, and are sent again.
 */
export class RedisExecutor implements Executor<"later"> {
  readonly timing = "later";
  readonly overrides = true;
  readonly penalties = true;
  readonly name = "redis";
  readonly place: string;
  // Few enough that client and server work at the same time. One request must not occupy the
  // server's only thread for a long time. Enough to share the fixed cost of a request.
  readonly mostBudgets = 128;
  readonly mostInFlight: number;
  /**
   * Defined in a cluster. Also defined if budgets have tags, so that the tag function is called
   * before anything is sent.
   */
  readonly slotOf?: (budget: Budget) => number;
  readonly nodeOf?: (slot: number) => string;
  readonly #connection: RedisDriver;
  /** Calls that carry a script, by script and node. */
  readonly #sending = new Map<string, ScriptLoad>();
  readonly #keys: RedisKeys;
  readonly #nameOf: (budget: Budget) => string;
  readonly #clock: Clock | undefined;

  /** @param clock Replaces the server's clock in tests. */
  constructor(connection: RedisDriver, keys: RedisKeys, clock: Clock | undefined) {
    this.#connection = connection;
    this.place = connection.place;
    this.mostInFlight = mostInFlight(connection);
    this.#keys = keys;
    this.#nameOf = keys.stateKey.bind(keys);
    this.#clock = clock;
    if (connection.isCluster) {
      this.slotOf = (budget) => slotOf(keys.stateKey(budget));
      this.nodeOf = (slot) => connection.nodeOf(slot);
    } else if (keys.hasTags) this.slotOf = (budget) => keys.checkTag(budget);
  }

  blamesNode(error: Error): boolean {
    return !isOfSlot(error) && !isRefusedWrite(error);
  }

  mayConcernOne(error: Error): boolean {
    return isMissingTogether(error) || isRefusedWrite(error);
  }

  trouble(): Error | undefined {
    return this.#connection.unready() === undefined ? undefined : this.#connection.lastError();
  }

  async execute(
    commands: readonly Command[],
    info: RequestInfo,
  ): Promise<readonly CommandOutcome[]> {
    if (this.#connection.unready() !== undefined) await this.#ready(info.isLate);
    const request = new PortRequest(commands, this.#nameOf, { hasLooks: true });
    const values = argumentsOf(request, this.#clock?.());
    try {
      const numbers = await this.#run({ script: SCRIPT, keys: request.names, values }, info);
      return replay(request, readReply(request, numbers, this.#keys), info.observer);
    } catch (error) {
      throw quiet(error);
    }
  }

  async register<C extends RegisterCommand>(
    command: C,
    isLate: () => boolean,
  ): Promise<RegisterAnswer<C>> {
    if (this.#connection.unready() !== undefined) await this.#ready(isLate);
    const keys = this.#keys.registerKeys();
    const values = registerArguments(command, this.#clock?.());
    const slot = this.#connection.isCluster ? slotOf(keys[0] as string) : 0;
    try {
      const reply = await this.#run({ script: REGISTER_SCRIPT, keys, values }, { slot, isLate });
      return readRegisterReply(command, reply);
    } catch (error) {
      throw quiet(error);
    }
  }

  /**
   * Waits until the client can send, but not beyond the deadline of the request.
   *
   * The client's own queue would also keep commands whose callers no longer wait.
   */
  async #ready(isLate: () => boolean): Promise<void> {
    for (;;) {
      const unready = this.#connection.unready();
      if (unready === undefined) return;
      if (unready !== "soon") throw unready;
      if (isLate()) throw new Error("the connection was not ready in time");
      await new Promise<void>((resolve) => afterDelay(LOOK_AGAIN, resolve));
    }
  }

  /** Returns the script's reply. Rejects if a call fails, or would be sent after its deadline. */
  async #run(call: ScriptCall, { slot, isLate }: SendInfo): Promise<unknown> {
    const { script, keys, values } = call;
    for (;;) {
      try {
        return await this.#connection.runKnown(script, keys, values);
      } catch (error) {
        // A call with an unknown script has changed nothing, so it can be repeated.
        if (!UNKNOWN.test(String((error as Error)?.message)) || isLate()) throw error;
        const load = `${script.sha1} ${this.#nodeOf(slot)}`;
        const sending = this.#sending.get(load);
        if (sending === undefined || sending.isLate()) {
          return this.#send(load, { answer: this.#connection.run(script, keys, values), isLate });
        }
        await sending.ended;
        if (isLate()) throw error;
      }
    }
  }

  async #send(
    load: string,
    { answer, isLate }: { answer: Promise<unknown>; isLate: () => boolean },
  ): Promise<unknown> {
    const sending = { ended: answer.catch(() => {}), isLate };
    this.#sending.set(load, sending);
    try {
      return await answer;
    } finally {
      if (this.#sending.get(load) === sending) this.#sending.delete(load);
    }
  }

  /**
   * Returns the node of a slot. If nodes are not distinguished, they receive the script one after
   * the other.
   */
  #nodeOf(slot: number): string {
    return this.#connection.knowsNodes ? this.#connection.nodeOf(slot) : ONLY_NODE;
  }
}
