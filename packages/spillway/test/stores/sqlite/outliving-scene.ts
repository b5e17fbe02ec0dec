/** A store on a connection of its own, and connections on which transactions follow each other. */
import { expect } from "vitest";
import { type Lease, RateLimiter } from "../../../src/limiter/index.ts";
import { type StoreEvent, sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { type ManualClock, manualClock } from "../../../src/testing/index.ts";
import { type Connection, tempFolder } from "./drivers.ts";

export const TTL = 60_000;
const LIMITS = {
  jobs: { kind: "concurrency", capacity: 5, ttl: TTL },
  places: { kind: "concurrency", capacity: 5, ttl: TTL, share: "10s" },
} as const;
export const key = "k";

/** A limiter on a connection of its own, a connection for transactions, and one for looking at what came of it. */
export class Scene implements Disposable {
  readonly #folder = tempFolder();
  readonly #file = this.#folder.file("shop.db");
  readonly clock: ManualClock = manualClock();
  readonly events: StoreEvent[] = [];
  readonly own: Connection;
  readonly shop: Connection;
  readonly third: Connection;
  readonly limiter: RateLimiter<typeof LIMITS, "now">;
  readonly #observer: RateLimiter<typeof LIMITS, "now">;

  constructor(open: (path: string) => Connection) {
    [this.own, this.shop, this.third] = [open(this.#file), open(this.#file), open(this.#file)];
    for (const each of [this.shop, this.third]) each.exec("pragma busy_timeout = 0");
    const { clock } = this;
    const onEvent = (event: StoreEvent) => this.events.push(event);
    this.limiter = new RateLimiter(LIMITS, { store: sqliteStore(this.own, { clock, onEvent }) });
    const watching = sqliteStore(open(this.#file), { clock });
    this.#observer = new RateLimiter(LIMITS, { store: watching });
    this.third.exec("create table orders (id integer primary key)");
  }

  /** As others see it. */
  get inFlight(): number {
    return 5 - this.#observer.value("jobs", { key }).remaining;
  }

  /** Takes a lease in a transaction, which ends so. */
  take(end: "commit" | "rollback", database = this.shop): Lease<"now"> {
    database.exec("begin immediate");
    const lease = this.limiter.within(database).acquire("jobs", { key });
    expect(lease.ok).toBe(true);
    database.exec(end);
    return lease;
  }

  [Symbol.dispose](): void {
    for (const each of [this.own, this.shop, this.third, this.#folder]) each[Symbol.dispose]();
  }
}
