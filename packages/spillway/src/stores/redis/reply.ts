import { Leases, Log, State } from "../../core/index.ts";
import { PortError, type PortRequest, type Reply } from "../../store/index.ts";
import type { Keys } from "./keys.ts";

/** Numbers that the script tells of every state: used, now - since, used - unsettled. */
const WIDTH = 3;
/** Where the first of them is. */
const FIRST = 2;

/** What the script replied; see `lua/take.lua`. */
export class ScriptReply implements Reply {
  readonly now: number;
  readonly charged: number;
  readonly #numbers: readonly number[];
  readonly #request: PortRequest;
  readonly #keys: Keys;
  readonly #states: readonly State[];

  /** @throws PortError where the reply is none of the script's. */
  constructor(request: PortRequest, keys: Keys, reply: unknown) {
    if (!Array.isArray(reply) || reply.length <= FIRST + WIDTH * request.names.length) {
      throw new PortError("Redis replied with something that is not the script's answer");
    }
    this.#numbers = typeof reply[0] === "number" ? reply : reply.map(Number);
    this.now = this.#numbers[0] as number;
    this.charged = this.#numbers[1] as number;
    this.#request = request;
    this.#keys = keys;
    this.#states = request.names.map(() => new State());
    this.#restore();
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

  #restore(): void {
    const { plans } = this.#request;
    for (let place = 0, at = FIRST; place < plans.length; place++, at += WIDTH) {
      const state = this.#states[place] as State;
      state.plan = plans[place];
      const used = this.#numbers[at] as number;
      const since = this.now - (this.#numbers[at + 1] as number);
      const unsettled = used - (this.#numbers[at + 2] as number);
      state.write({ used, since, previous: 0, unsettled });
    }
    let at = this.#restoreMore(FIRST + WIDTH * plans.length);
    for (let place = 0; place < plans.length && at < this.#numbers.length; place++) {
      const state = this.#states[place] as State;
      if (state.used < 0) continue;
      const kind = state.plan?.kind;
      if (kind === "sliding log") at = this.#restoreLog(state, at);
      else if (kind === "concurrency") at = this.#restoreLeases(state, at);
    }
  }

  /** What only few states have to tell: a window before, a block. */
  #restoreMore(at: number): number {
    const end = at + 1 + 3 * (this.#numbers[at] as number);
    for (let one = at + 1; one < end; one += 3) {
      const [place, previous, blockedUntil] = this.#numbers.slice(one, one + 3) as [
        number,
        number,
        number,
      ];
      const state = this.#states[place - 1] as State;
      state.previous = previous;
      state.blockedUntil = blockedUntil;
    }
    return end;
  }

  #restoreLog(state: State, at: number): number {
    const end = at + 1 + 2 * (this.#numbers[at] as number);
    state.log = new Log();
    for (let entry = at + 1; entry < end; entry += 2) {
      const [instant, units] = this.#numbers.slice(entry, entry + 2) as [number, number];
      state.log.push({ instant, units });
    }
    return end;
  }

  #restoreLeases(state: State, at: number): number {
    const end = at + 1 + 3 * (this.#numbers[at] as number);
    state.leases = new Leases();
    for (let lent = at + 1; lent < end; lent += 3) {
      const [until, units, id] = this.#numbers.slice(lent, lent + 3) as [number, number, number];
      state.leases.add({ id, units, until });
    }
    return end;
  }
}
