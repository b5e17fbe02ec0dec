import { Leases, Log, type Plan, State } from "../../core/index.ts";
import { PortError, type PortRequest, type Reply, SCRIPT_REPLY } from "../../store/index.ts";
import type { Keys } from "./keys.ts";

const HEAD = SCRIPT_REPLY.head.length;
const STATE = SCRIPT_REPLY.state.length;

/** What the script replied: the parts that `SCRIPT_REPLY` names, in the order of `lua/main.lua`. */
export class ScriptReply implements Reply {
  readonly now: number;
  readonly charged: number;
  readonly #numbers: readonly number[];
  readonly #request: PortRequest;
  readonly #keys: Keys;
  readonly #states: readonly State[];
  /** Where the next number is read. */
  #at = 0;

  /** @throws PortError where the reply is none of the script's. */
  constructor(request: PortRequest, keys: Keys, reply: unknown) {
    if (!Array.isArray(reply) || reply.length <= HEAD + STATE * request.names.length) {
      throw new PortError("Redis replied with something that is not the script's answer");
    }
    this.#numbers = typeof reply[0] === "number" ? reply : reply.map(Number);
    this.#request = request;
    this.#keys = keys;
    this.now = this.#next();
    this.charged = this.#next();
    this.#states = request.plans.map((plan) => this.#state(plan));
    this.#readMore();
    for (const state of this.#states) if (state.used >= 0) this.#readList(state);
  }

  state(call: number, budget: number): State {
    const place = this.#request.places[call]?.[budget] as number;
    const state = this.#states[place] as State;
    if (state.used >= 0) return state;
    const shown = this.#keys.shownKeys(this.#request.names[place] as string, state.plan);
    throw new Error(
      `the key ${shown} holds something that is not ours; delete it, or change prefix`,
    );
  }

  #next(): number {
    return this.#numbers[this.#at++] as number;
  }

  #state(plan: Plan): State {
    const state = new State();
    state.plan = plan;
    const used = this.#next();
    const since = this.now - this.#next();
    state.write({ used, since, previous: 0, unsettled: used - this.#next() });
    return state;
  }

  /** What only few states have: units of the window before, a block. */
  #readMore(): void {
    for (let left = this.#next(); left > 0; left--) {
      const state = this.#states[this.#next() - 1] as State;
      state.previous = this.#next();
      state.blockedUntil = this.#next();
    }
  }

  #readList(state: State): void {
    const kind = state.plan?.kind;
    if (kind === "sliding log") {
      state.log = new Log();
      for (let left = this.#next(); left > 0; left--) {
        state.log.push({ instant: this.#next(), units: this.#next() });
      }
    } else if (kind === "concurrency") {
      state.leases = new Leases();
      for (let left = this.#next(); left > 0; left--) {
        state.leases.add({ until: this.#next(), units: this.#next(), id: this.#next() });
      }
    }
  }
}
