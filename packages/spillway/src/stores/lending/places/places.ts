import { after, asAnswer } from "../../../internal/index.ts";
import type {
  Answer,
  Ask,
  Command,
  CommandOf,
  LendingNumbers,
  Random,
  Timing,
  Value,
} from "../../../limits/core/index.ts";
import type { HeldJointAsk } from "../joint.ts";
import type { LentSettings } from "../lent-units.ts";
import { newId } from "../new-id.ts";
import { checkJointly, PlaceAsk } from "./place-asks.ts";
import type { PlaceKey } from "./place-key.ts";
import { PlaceKeys } from "./place-keys.ts";
import { releaseHere, renewHere } from "./place-leases.ts";

/** Keeps places of a store in this process, and hands them out as leases; see `place-key.ts`. */
export class Places<M extends Timing> {
  readonly #random: Random;
  readonly #keys: PlaceKeys<M>;

  constructor(settings: LentSettings<M>) {
    this.#random = settings.random;
    this.#keys = new PlaceKeys(settings);
  }

  /** The number of keys, units of them that are not held, and units taken from the store so far. */
  get numbers(): LendingNumbers {
    let held = 0;
    for (const key of this.#keys) held += key.idle;
    return { keys: this.#keys.size, held, lent: this.#keys.lent };
  }

  /** Takes places for one of several asks. */
  limitJointly(ask: Ask): HeldJointAsk {
    return new PlaceAsk(this.#keys, ask, newId(this.#random));
  }

  /** Answers a check of one of several asks. */
  checkJointly(ask: Ask): HeldJointAsk {
    return checkJointly(this.#keys, ask);
  }

  /** Carries out a command on places other than an ask. */
  execute(command: Command): Answer<M, unknown> {
    const key = command.verb === "peek" ? undefined : this.#keys.find(command.budgets[0]);
    if (key !== undefined) return this.#onKey(command, key);
    // Units in flight may be held by other processes, so they are not forgotten.
    return command.verb === "reset"
      ? asAnswer(this.#keys.timing, undefined)
      : this.#keys.pass(command);
  }

  /** Gives back places that are not held, and keeps none from now on. */
  giveBack(): Answer<M, unknown> {
    return this.#keys.close();
  }

  #onKey(command: Command, key: PlaceKey): Answer<M, unknown> {
    switch (command.verb) {
      case "release":
        return releaseHere(this.#keys, command, key);
      case "renew":
        return renewHere(this.#keys, command, key);
      case "value":
        return this.#value(command);
      case "reset":
        // Units in flight may be held by other processes, so they are not forgotten.
        return after(this.#keys.timing, this.#keys.giveUp(key), () => undefined);
      case "block":
        this.#keys.giveUp(key);
    }
    return this.#keys.pass(command);
  }

  #value(command: CommandOf<"value">): Answer<M, Value> {
    const key = this.#keys.findCurrent(command.budgets[0]);
    return after(this.#keys.timing, this.#keys.pass(command) as Answer<M, Value>, (value) =>
      key === undefined || value.blockedFor > 0
        ? value
        : { ...value, remaining: Math.min(value.capacity, value.remaining + key.idle) },
    );
  }
}
