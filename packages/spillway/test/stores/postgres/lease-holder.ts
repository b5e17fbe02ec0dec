import { ok } from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Ask, Budget, LeaseRef, Store } from "../../../src/limits/core/index.ts";
import { connect, type PostgresConnection } from "../../../src/stores/postgres/clients/connect.ts";
import { adaptTransaction } from "../../../src/stores/postgres/clients/transaction-adapter.ts";
import { postgresStore } from "../../../src/stores/postgres/index.ts";
import { asking } from "../../../src/testing/asking.ts";
import { isLost } from "./faults/lost.ts";
import type { Library } from "./libraries/library.ts";
import { never } from "./statements.ts";

/** Fewer than those who want to be in flight. */
export const CAPACITY = 3;
const PLAN = planFor("reports", { kind: "concurrency", capacity: CAPACITY, ttl: "1m" });

/** Where holders note how many they are, for each key. */
export const NOTED = "create table if not exists noted (key text primary key, units int)";

/** Who holds what, and how. */
export type HolderSettings = {
  readonly library: Library;
  readonly key: string;
  readonly number: number;
  /** Whether leases are taken and given back in transactions that note it as well. */
  readonly within: boolean;
};

/** Is in flight again and again, and notes in the database that it is: never when it is not. */
export class LeaseHolder {
  readonly #library: Library;
  readonly #store: Store<"later">;
  readonly #within: boolean;
  readonly #budget: Budget;
  readonly #number: number;
  #times = 0;

  constructor({ library, key, number, within }: HolderSettings) {
    this.#library = library;
    this.#store = postgresStore(library.database, { deadline: 20_000 });
    this.#within = within;
    this.#budget = { plan: PLAN, key };
    this.#number = number;
  }

  /** Waits for a lease, renews it, and gives it back; tells how many were noted as in flight then. */
  async hold(): Promise<number> {
    const held = { id: 1000 * this.#number + this.#times++, count: 1 };
    let noted: number | undefined;
    while (noted === undefined) {
      noted = await untilWon(() => (this.#within ? this.#enterWithin(held) : this.#enter(held)));
      await pause(1);
    }
    ok(await asking(this.#store).renew(this.#budget, held));
    if (this.#within) await untilWon(() => this.#leaveWithin(held));
    else await this.#leave(held);
    return noted;
  }

  async #enter(held: LeaseRef): Promise<number | undefined> {
    const decision = await asking(this.#store).limit(this.#ask(held));
    if (!decision.ok) return undefined;
    return untilWon(() => this.#note(connect(this.#library.database), 1));
  }

  async #enterWithin(held: LeaseRef): Promise<number | undefined> {
    let noted: number | undefined;
    await this.#library.transact(async (transaction) => {
      const decision = await asking(this.#storeWithin(transaction)).limit(this.#ask(held));
      if (decision.ok) noted = await this.#note(adaptTransaction(transaction), 1);
    });
    return noted;
  }

  async #leave(held: LeaseRef): Promise<void> {
    await untilWon(() => this.#note(connect(this.#library.database), -1));
    ok(await asking(this.#store).release(this.#budget, held));
  }

  #leaveWithin(held: LeaseRef): Promise<void> {
    return this.#library.transact(async (transaction) => {
      ok(await asking(this.#storeWithin(transaction)).release(this.#budget, held));
      await this.#note(adaptTransaction(transaction), -1);
    });
  }

  #ask({ id, count }: LeaseRef): Ask {
    return { ...this.#budget, count, reserve: false, lease: { id, headroom: 0 } };
  }

  #storeWithin(transaction: object): Store<"later"> {
    return this.#store.within?.(transaction) as Store<"later">;
  }

  async #note({ run }: PostgresConnection, change: number): Promise<number> {
    const text = "update noted set units = units + $1::int where key = $2 returning units::text";
    const values = [`${change}`, this.#budget.key as string];
    return Number(await run({ name: "note", text, values }, never));
  }
}

/** Does it anew each time that it loses to another one. */
async function untilWon<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }
}
