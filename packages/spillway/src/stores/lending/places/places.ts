import { after, asAnswer, carriedOut, eachAnswered } from "../../../internal/index.ts";
import type {
  Answer,
  Ask,
  Command,
  CommandOf,
  Decision,
  Mode,
  Value,
} from "../../../limits/core/index.ts";
import { newId } from "../new-id.ts";
import { keepsPlaces } from "./kept-plan.ts";
import {
  abandon,
  begin,
  checked,
  finish,
  type Outcome,
  type PlaceAsk,
  restOfCheck,
} from "./place-asks.ts";
import type { PlaceKey } from "./place-key.ts";
import { PlaceKeys, type PlacesSettings } from "./place-keys.ts";
import { releaseHere, renewHere } from "./place-leases.ts";

/** A call for places, or one of another limit. */
type AnyAsk = PlaceAsk | Ask;

/** Keeps places of a store in this process, and hands them out as leases; see `place-key.ts`. */
export class Places<M extends Mode> {
  /** Units that were taken from the store so far. */
  lent = 0;
  readonly #settings: PlacesSettings<M>;
  readonly #keys: PlaceKeys<M>;

  constructor(settings: PlacesSettings<M>) {
    this.#settings = settings;
    this.#keys = new PlaceKeys(settings);
  }

  /** How many keys there are, and how many units of them nobody holds. */
  get numbers(): { readonly keys: number; readonly held: number } {
    let held = 0;
    for (const key of this.#keys) held += key.idle;
    return { keys: this.#keys.size, held };
  }

  /** One ask for a lease. */
  limit(ask: Ask): Answer<M, Decision> {
    const one = this.#begin(ask);
    if (one.rest === undefined)
      return asAnswer(this.#mode, this.#end(one, { decision: undefined, ok: true }));
    const asked = this.#askStore([one.rest], [one]);
    return after(this.#mode, asked, ([decision]) =>
      this.#end(one, { decision, ok: decision?.ok === true }),
    );
  }

  /** Carries out a command that concerns places, and perhaps other budgets as well. */
  execute(command: Command): Answer<M, unknown> {
    if (command.verb === "limit") return this.#limitAll(command.budgets);
    if (command.verb === "check") return this.#checkAll(command.budgets);
    const key = command.verb === "peek" ? undefined : this.#keys.find(command.budgets[0]);
    if (key !== undefined) return this.#onKey(command, key);
    // What is in flight may be held elsewhere: it is not forgotten.
    return command.verb === "reset" ? asAnswer(this.#mode, undefined) : this.#keys.pass(command);
  }

  /** Gives back what nobody holds, and keeps nothing any more. */
  giveBack(): Answer<M, unknown> {
    return this.#keys.close();
  }

  get #mode(): M {
    return this.#settings.mode;
  }

  #limitAll(asks: readonly Ask[]): Answer<M, readonly Decision[]> {
    const ones = asks.map((ask): AnyAsk => (keepsPlaces(ask.plan) ? this.#begin(ask) : ask));
    const rests = ones.flatMap((one) => (isHere(one) ? (one.rest ?? []) : one));
    const asked = this.#askStore(rests, ones.filter(isHere));
    return after(this.#mode, asked, (decisions) => {
      const ok = decisions.every((one) => one.ok);
      return eachAnswered(ones, decisions, {
        isPassedOn: (one) => !isHere(one) || one.rest !== undefined,
        end: ({ one, answer: decision }) =>
          isHere(one) ? this.#end(one, { decision, ok }) : (decision as Decision),
      });
    });
  }

  /** Asks the store for what is not here. Where that fails, what was taken out for it is put back. */
  #askStore(rests: readonly Ask[], ones: readonly PlaceAsk[]): Answer<M, readonly Decision[]> {
    if (rests.length === 0) return asAnswer(this.#mode, []);
    const call = () => this.#settings.execute({ verb: "limit", budgets: rests });
    const fail = (error: unknown): never => {
      for (const one of ones) {
        abandon(one, this.#keys.now());
        this.#keys.flush(one.key);
      }
      throw error;
    };
    const done = (decisions: unknown) => decisions as readonly Decision[];
    return carriedOut(this.#mode, call, { done, fail });
  }

  #checkAll(asks: readonly Ask[]): Answer<M, readonly Decision[]> {
    const keys = asks.map((ask) =>
      keepsPlaces(ask.plan) ? this.#keys.findCurrent(ask) : undefined,
    );
    const rests = asks.map((ask, index) =>
      keepsPlaces(ask.plan) ? restOfCheck(keys[index], ask) : ask,
    );
    const budgets = rests.filter((rest) => rest !== undefined);
    const asked =
      budgets.length === 0
        ? asAnswer(this.#mode, [])
        : this.#settings.execute({ verb: "check", budgets });
    return after(this.#mode, asked as Answer<M, readonly Decision[]>, (decisions) => {
      const ok = decisions.every((one) => one.ok);
      return eachAnswered(asks, decisions, {
        isPassedOn: (_, index) => rests[index] !== undefined,
        end: ({ one: ask, index, answer: decision }) => {
          const key = keys[index];
          if (key === undefined) return decision as Decision;
          return checked(key, ask, { decision, ok, now: this.#keys.now() });
        },
      });
    });
  }

  #onKey(command: Command, key: PlaceKey): Answer<M, unknown> {
    const mode = this.#mode;
    switch (command.verb) {
      case "release":
        return releaseHere(this.#keys, command, { key, mode });
      case "renew":
        return renewHere(this.#keys, command, { key, mode, sent: this.#keys.now() });
      case "value":
        return this.#value(command);
      case "reset":
        // What is in flight may be held elsewhere: it is not forgotten.
        return after(mode, this.#keys.giveUp(key), () => undefined);
      case "block":
        this.#keys.giveUp(key);
    }
    return this.#keys.pass(command);
  }

  #value(command: CommandOf<"value">): Answer<M, Value> {
    const key = this.#keys.findCurrent(command.budgets[0]);
    return after(this.#mode, this.#keys.pass(command) as Answer<M, Value>, (value) =>
      key === undefined || value.blockedFor > 0
        ? value
        : { ...value, remaining: Math.min(value.capacity, value.remaining + key.idle) },
    );
  }

  #begin(ask: Ask): PlaceAsk {
    const key = this.#keys.of(ask);
    const id = newId(this.#settings.random);
    const one = begin(key, ask, { id, now: this.#keys.now() });
    // What is over goes back before the store is asked.
    this.#keys.flush(key);
    return one;
  }

  #end(one: PlaceAsk, outcome: Outcome): Decision {
    const { key, ask, rest } = one;
    const decision = finish(one, outcome, this.#keys.now());
    if (outcome.ok && rest !== undefined && rest.count > 0 && !decision.degraded) {
      this.lent += rest.count;
      const { limit } = ask.plan;
      this.#keys.notify({ type: "drawn", limit, units: rest.count, held: key.idle });
    }
    this.#keys.flush(key);
    return decision;
  }
}

function isHere(one: AnyAsk): one is PlaceAsk {
  return "parts" in one;
}
