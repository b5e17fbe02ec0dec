import { Leases, Log, Slab, State } from "../../core/index.ts";
import { PortError, type Reply, type Request } from "../../remote/index.ts";

/** "now charged state;state;…"; see `sql/execute.sql`. */
const REPLY = /^(\d+) (\d+) (.+)$/;

/** What the functions in `sql/` replied. */
export class RowsReply implements Reply {
  readonly now: number;
  readonly charged: number;
  readonly #places: Request["places"];
  readonly #slab: Slab;
  readonly #state: State;

  /** @throws PortError where the reply is none of theirs. */
  constructor({ plans, places }: Request, reply: string) {
    const [, now, charged, states = ""] = REPLY.exec(reply) ?? [];
    const all = states.split(";");
    if (all.length !== plans.length) {
      throw new PortError("Postgres replied with something that is not the functions' answer");
    }
    this.now = Number(now);
    this.charged = Number(charged);
    this.#places = places;
    this.#slab = new Slab(plans.length);
    this.#state = new State(this.#slab);
    all.forEach((text, place) => {
      this.#state.point(this.#slab, place).plan = plans[place];
      this.#restore(text);
    });
  }

  state(call: number, budget: number): State {
    return this.#state.point(this.#slab, this.#places[call]?.[budget] as number);
  }

  #restore(text: string): void {
    const [numbers = "", log] = text.split(":");
    const [used, since, unsettled = used, previous = 0, blockedUntil = 0] = toNumbers(numbers);
    const state = this.#state;
    state.write({
      used: used as number,
      since: since as number,
      previous,
      unsettled: unsettled as number,
    });
    state.blockedUntil = blockedUntil;
    if (log === undefined) return;
    if (state.plan?.kind === "concurrency") state.leases = leasesFrom(toNumbers(log));
    else state.log = logFrom(toNumbers(log));
  }
}

function logFrom(numbers: readonly number[]): Log {
  const log = new Log();
  for (let at = 0; at < numbers.length; at += 2) {
    log.push({ instant: numbers[at] as number, units: numbers[at + 1] as number });
  }
  return log;
}

function leasesFrom(numbers: readonly number[]): Leases {
  const leases = new Leases();
  for (let at = 0; at < numbers.length; at += 3) {
    const [until, units, id] = numbers.slice(at, at + 3) as [number, number, number];
    leases.add({ id, until, units });
  }
  return leases;
}

function toNumbers(text: string): readonly number[] {
  return text.split(",").map(Number);
}
