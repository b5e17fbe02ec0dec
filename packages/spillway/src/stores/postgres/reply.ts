import { Leases, Log, type Plan, State } from "../../core/index.ts";
import { PortError, type PortRequest, type Reply } from "../../store/index.ts";

/** "now charged state;state;…"; see `sql/execute.sql`. */
const REPLY = /^(\d+) (\d+) (.+)$/;

/** What the functions in `sql/` replied. */
export class RowsReply implements Reply {
  readonly now: number;
  readonly charged: number;
  readonly #places: PortRequest["places"];
  readonly #states: readonly State[];

  /** @throws PortError where the reply is none of theirs. */
  constructor({ plans, places }: PortRequest, reply: string) {
    const [, now, charged, states = ""] = REPLY.exec(reply) ?? [];
    const all = states.split(";");
    if (all.length !== plans.length) {
      throw new PortError("Postgres replied with something that is not the functions' answer");
    }
    this.now = Number(now);
    this.charged = Number(charged);
    this.#places = places;
    this.#states = all.map((text, place) => this.#restored(text, plans[place]));
  }

  state(call: number, budget: number): State {
    return this.#states[this.#places[call]?.[budget] as number] as State;
  }

  #restored(text: string, plan: Plan | undefined): State {
    const [numbers = "", log] = text.split(":");
    const [used, since, unsettled = used, previous = 0, blockedUntil = 0] = toNumbers(numbers);
    const state = new State();
    state.plan = plan;
    state.write({
      used: used as number,
      since: since as number,
      previous,
      unsettled: unsettled as number,
    });
    state.blockedUntil = blockedUntil;
    if (log === undefined) return state;
    if (plan?.kind === "concurrency") state.leases = leasesFrom(toNumbers(log));
    else state.log = logFrom(toNumbers(log));
    return state;
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
