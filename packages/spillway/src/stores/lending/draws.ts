import { after, carriedOut, notify } from "../../internal/index.ts";
import type {
  Answer,
  Ask,
  Command,
  Decision,
  Draw,
  Drawn,
  Mode,
  Random,
  Scheduler,
  Store,
} from "../../limits/core/index.ts";
import type { OnEvent } from "../remote/events.ts";
import { Endings } from "./endings.ts";
import type { Drawing, LentKey } from "./lent-key.ts";
import { newId } from "./new-id.ts";
import type { Readings } from "./readings.ts";

/** What draws are made with. */
export type DrawsSettings<M extends Mode> = {
  readonly store: Store<M>;
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  readonly random: Random;
  readonly onEvent: OnEvent | undefined;
};

/** Carries draws to the store and what comes of them to their keys, and reports it. */
export class Draws<M extends Mode> {
  /** Units that were lent to this process so far. */
  lent = 0;
  readonly #settings: DrawsSettings<M>;
  readonly #endings: Endings;

  constructor(settings: DrawsSettings<M>) {
    this.#settings = settings;
    this.#endings = new Endings({ ...settings, due: (key) => this.refill(key) });
  }

  /** Asks for units, with those that are held, and for more to be lent. */
  ask(key: LentKey, ask: Ask): Answer<M, Decision> {
    const isOffered = key.holder.units > 0;
    return this.#draw(key, ask, { isWanted: true, isOffered });
  }

  /** Has units lent before they are needed; nobody waits for it. */
  refill(key: LentKey): void {
    this.#unheard(() => this.#draw(key, nothing(key), { isWanted: true }));
  }

  /** Reports what was used. */
  report(key: LentKey): Answer<M, Decision> {
    return this.#draw(key, nothing(key), { isWanted: false });
  }

  /** Gives back all that is held of a key; it may be used no longer, whatever comes of it. */
  giveBack(key: LentKey): Answer<M, undefined> {
    const units = key.giveUp();
    this.expire(key);
    const { onEvent, store } = this.#settings;
    if (!key.owes) return after(store.mode, undefined as Answer<M, undefined>, () => undefined);
    if (units > 0) notify(onEvent, { type: "given back", limit: key.budget.plan.limit, units });
    const given = this.#unheard(() => this.#draw(key, nothing(key), { isWanted: false }));
    return given as Answer<M, undefined>;
  }

  /** To be called once a second: reports what has ended, and has go back what is about to. */
  check(key: LentKey): void {
    this.expire(key);
    this.#endings.watch(key);
  }

  /** Reports units that have ended unused. */
  expire(key: LentKey): void {
    key.holder.dropEnded(this.#settings.readings.now());
    const units = key.holder.takeExpired();
    if (units === 0) return;
    const { limit } = key.budget.plan;
    notify(this.#settings.onEvent, { type: "expired", limit, units });
  }

  #draw(key: LentKey, ask: Ask, how: Omit<Drawing, "id">): Answer<M, Decision> {
    const { store, readings, random } = this.#settings;
    const id = newId(random);
    const draw = key.draw({ id, ...how }, readings.exactly());
    const command = { verb: "draw", budgets: [ask], draw } as const satisfies Command;
    key.calls++;
    const done = (drawn: Drawn) => this.#drawn(key, drawn, { draw, count: ask.count });
    const fail = (error: unknown): never => {
      key.flight = undefined;
      key.failed(draw, readings.now());
      throw error;
    };
    const answer = carriedOut(store.mode, () => store.execute(command), { done, fail });
    if (store.mode === "later") key.flight = (answer as Promise<unknown>).then(ignore, ignore);
    return answer;
  }

  #drawn(
    key: LentKey,
    drawn: Drawn,
    { draw, count }: { readonly draw: Draw; readonly count: number },
  ): Decision {
    const now = this.#settings.readings.now();
    key.flight = undefined;
    const { decision } = drawn;
    if (decision.degraded) {
      key.failed(draw, now);
      return decision;
    }
    const units = key.drawn(drawn, draw, { count, now });
    this.lent += units;
    this.expire(key);
    if (units > 0) {
      this.#notifyDrawn(key, units);
      this.#endings.watch(key);
    }
    return key.answered(decision, now);
  }

  #notifyDrawn({ budget, holder }: LentKey, units: number): void {
    const { limit } = budget.plan;
    notify(this.#settings.onEvent, { type: "drawn", limit, units, held: holder.units });
  }

  /** Nobody waits for its answer: what becomes of it is noted with the key. */
  #unheard(draw: () => Answer<M, Decision>): unknown {
    if (this.#settings.store.mode === "later")
      return (draw() as Promise<Decision>).then(ignore, ignore);
    try {
      draw();
    } catch {
      // The key knows of it, and the next ask that needs the store hears of it.
    }
  }
}

function ignore(): undefined {
  return undefined;
}

/** A call that takes nothing. */
function nothing({ budget }: LentKey): Ask {
  return { ...budget, count: 0, reserve: false };
}
