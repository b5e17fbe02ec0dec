/** Leases are in flight where they should be, however transactions follow each other on connections. */
import fc from "fast-check";
import { describe, test } from "vitest";
import type { Lease } from "../../../src/limiter/index.ts";
import { runs } from "../../runs.ts";
import { until } from "../../servers/until.ts";
import { eachDriver } from "./drivers.ts";
import { key, Scene } from "./outliving-scene.ts";

const NAMES = ["own", "shop", "third"] as const;
type Name = (typeof NAMES)[number];

/** What is done in a transaction; `which` is the place of a lease among those that were taken. */
type Work =
  | { readonly does: "acquire" | "write" | "read" }
  | { readonly does: "release" | "renew"; readonly which: number }
  | Transaction;
type Transaction = {
  readonly on: Name;
  readonly begin: "begin" | "begin immediate";
  readonly inner: readonly Work[];
  readonly end: "commit" | "rollback";
};

const { transaction } = fc.letrec<{ work: Work; transaction: Transaction }>((tie) => ({
  work: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    fc.record({ does: fc.constantFrom("acquire", "write", "read") }),
    fc.record({ does: fc.constantFrom("release", "renew"), which: fc.constantFrom(0, 1, 2) }),
    tie("transaction"),
  ),
  transaction: fc.record({
    on: fc.constantFrom(...NAMES),
    begin: fc.constantFrom("begin", "begin immediate"),
    inner: fc.array(tie("work"), { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom("commit", "rollback"),
  }),
}));

describe.each(eachDriver)("over %s, however transactions follow each other", (_, open) => {
  test("each lease that is committed and not released is in flight in the end, and no other is", async () => {
    const one = fc.asyncProperty(fc.array(transaction, SEVERAL), async (transactions) => {
      using scene = new Scene(open);
      scene.own.exec("pragma busy_timeout = 0");
      const model = new Model(scene);
      for (const each of transactions) model.carryOut(each);
      const { expected } = model;
      // What failed on a lock that the store knew nothing of is tried again after a pause.
      scene.clock.advance(1000);
      await until(async () => scene.inFlight === expected, { what: `${expected} are in flight` });
    });
    await fc.assert(one, { numRuns: runs(15) });
  });
});

/** So many that connections are used again. */
const SEVERAL = { minLength: 4, maxLength: 10, size: "max" } as const;

/** A lease, in which of all transactions it was taken, and what became of it. */
type Known = {
  readonly lease: Lease<"now">;
  readonly transaction: Transaction;
  isCommitted: boolean;
  isReleased: boolean;
};

/** What has to come of it. */
class Model {
  readonly #scene: Scene;
  readonly #leases: Known[] = [];

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Units in flight once nothing is open any more. */
  get expected(): number {
    return this.#leases.filter(({ isCommitted, isReleased }) => isCommitted && !isReleased).length;
  }

  /** Nothing, where one is open on that connection, or others keep the lock. */
  carryOut(transaction: Transaction): void {
    const database = this.#scene[transaction.on];
    if (attempt(() => [database.exec(transaction.begin)]) === undefined) return;
    for (const work of transaction.inner) this.#do(work, transaction);
    const isDone = attempt(() => [database.exec(transaction.end)]) !== undefined;
    if (!isDone) database.exec("rollback");
    for (const known of this.#leases) {
      if (known.transaction !== transaction) continue;
      known.isCommitted = isDone && transaction.end === "commit";
    }
  }

  #do(work: Work, transaction: Transaction): void {
    const database = this.#scene[transaction.on];
    if ("begin" in work) this.carryOut(work);
    else if (work.does === "acquire") this.#acquire(transaction);
    else if (work.does === "read") attempt(() => database.exec("select * from orders"));
    else if (work.does === "write")
      attempt(() => database.exec("insert into orders default values"));
    else if ("which" in work) this.#change(work.does, this.#leases[work.which]);
  }

  #acquire(transaction: Transaction): void {
    const { limiter, [transaction.on]: database } = this.#scene;
    const lease = attempt(() => limiter.within(database).acquire("jobs", { key }));
    if (!lease?.ok) return;
    this.#leases.push({ lease, transaction, isCommitted: false, isReleased: false });
  }

  #change(does: "release" | "renew", known: Known | undefined): void {
    if (known === undefined) return;
    if (does === "renew") attempt(() => known.lease.renew());
    else {
      known.lease.release();
      known.isReleased = true;
    }
  }
}

/** Undefined where it fails: others may keep the lock, or no transaction be open. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
