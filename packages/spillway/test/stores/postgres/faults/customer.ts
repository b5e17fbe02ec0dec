import type { RateLimiter } from "../../../../src/limiter/index.ts";
import type { Random } from "../../../../src/limits/core/index.ts";
import { adaptTransaction } from "../../../../src/stores/postgres/clients/transaction-adapter.ts";
import type { Library, Work, WorkWithin } from "../libraries/library.ts";
import { isLost } from "./lost.ts";

const DAYS = 366 * 86_400_000;

/** Of each limit, for one key. */
export const UNITS = 40;

/** Nothing comes back while a test lasts, and not all can have what they ask for. */
export const LIMITS = {
  "token bucket": { kind: "token bucket", rate: 1, period: DAYS, capacity: UNITS },
  "leaky bucket": { kind: "leaky bucket", rate: 1, period: DAYS, capacity: UNITS },
  "fixed window": { kind: "fixed window", rate: UNITS, period: DAYS, start: 0 },
  "sliding window": { kind: "sliding window", rate: UNITS, period: DAYS, start: 0 },
  "sliding log": { kind: "sliding log", rate: UNITS, period: DAYS },
} as const;

export type Name = keyof typeof LIMITS;

export const NAMES = Object.keys(LIMITS) as Name[];

/** Where what was taken is written down, in the transaction that took it. */
export const TABLE = "create table taken (key text, name text, units int)";

/** What is thrown to roll back. */
class ChangedMind extends Error {}

/** What a customer buys with. */
export type Purse = {
  readonly library: Library;
  readonly limiter: RateLimiter<typeof LIMITS, "later">;
  readonly key: string;
  readonly random: Random;
};

/** Takes from three limits in one transaction, writes it down, and changes its mind at random. */
export class Customer {
  readonly #purse: Purse;

  constructor(purse: Purse) {
    this.#purse = purse;
  }

  /** Buys so many times: each until it was committed, or rolled back as it wanted to be. */
  async buy(times: number): Promise<void> {
    for (let done = 0; done < times; ) {
      const error = await this.#purse.library.transact(this.#transaction).catch((thrown) => thrown);
      if (isLost(error)) continue;
      if (error !== undefined) ignoreChangedMind(error);
      done++;
    }
  }

  readonly #transaction: WorkWithin = async (transaction, nested) => {
    await this.#take(transaction);
    await nested(this.#perhaps).catch(ignoreChangedMind);
    await this.#take(transaction);
    this.#perhapsChangeMind();
  };

  readonly #perhaps: Work = async (transaction) => {
    await this.#take(transaction);
    this.#perhapsChangeMind();
  };

  #perhapsChangeMind(): void {
    if (this.#purse.random() < 0.4) throw new ChangedMind();
  }

  /** Three limits in any order: all or none of them, or each for itself. */
  async #take(transaction: object): Promise<void> {
    const { limiter, key, random } = this.#purse;
    const within = limiter.within(transaction);
    const asks = this.#three().map((limit) => ({
      limit,
      key,
      count: 1 + Math.floor(2 * random()),
    }));
    if (random() < 0.5) {
      const { ok } = await within.limitAll(asks);
      if (ok) for (const ask of asks) await this.#note(transaction, ask);
      return;
    }
    for (const ask of asks) {
      const { ok } = await within.limit(ask.limit, { key, count: ask.count });
      if (ok) await this.#note(transaction, ask);
    }
  }

  #three(): Name[] {
    const drawn = NAMES.map((name) => ({ name, place: this.#purse.random() }));
    drawn.sort((one, other) => one.place - other.place);
    return drawn.slice(0, 3).map(({ name }) => name);
  }

  async #note(transaction: object, { limit, count }: Taken): Promise<void> {
    const text = "insert into taken values ($1::text, $2::text, $3::text::int) returning ''";
    const values = [this.#purse.key, limit, `${count}`];
    await adaptTransaction(transaction).run({ name: "note", text, values }, () => false);
  }
}

type Taken = { readonly limit: Name; readonly count: number };

function ignoreChangedMind(error: unknown): void {
  if (!(error instanceof ChangedMind)) throw error;
}
