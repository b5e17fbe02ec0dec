import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Draw, Store, Timing } from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { manualClock, shareConformance } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { shortForm } from "../short-form.ts";
import { drivers, type Opened } from "./drivers.ts";

/** The store's deadline: a case is to find what is wrong with answers, not with a busy machine. */
const PATIENT = 20_000;
/** Random runs over each driver: others over each. */
const SEEDS = runs(2);

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const places = Object.entries(drivers).map(([schema, open], index) => ({ schema, open, index }));

describe.each(places)("the postgres store lends: $schema", ({ schema, open, index }) => {
  let opened: Opened;

  beforeAll(async () => {
    opened = await open(server);
    await migrate(opened.pool, { schema, unlogged: true });
  });
  afterAll(() => opened.close());

  const cases = shareConformance(
    async (clock) => {
      await opened.script(
        `truncate "${schema}".budgets, "${schema}".entries, "${schema}".exceptions`,
      );
      return postgresStore(opened.pool, { schema, clock, deadline: PATIENT });
    },
    { seeds: SEEDS, firstSeed: SEEDS * index },
  );
  for (const { name, run } of shortForm(cases, { isFirst: index === 0 })) test(name, run);
});

describe("draws on Postgres and in memory", () => {
  const schema = "lent";
  const bucket = { kind: "token bucket", rate: 1000, period: 60_000, share: 10_000 } as const;
  const plan = planFor("it", bucket);
  const clock = manualClock();
  const inMemory = memoryStore({ clock });
  let pool: pg.Pool;
  let store: Store<"later">;

  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: server.url, max: 2 });
    await migrate(pool, { schema, unlogged: true });
    store = postgresStore(pool, { schema, clock, deadline: PATIENT });
    // What is lent is asked for here, and by nobody in between.
    await store.lending?.giveBack();
  });
  afterAll(() => pool.end());

  const rowOf = async (key: string) => {
    const columns = "definition, cardinality(entries) as numbers, older";
    const { rows } = await pool.query(
      `select ${columns} from ${schema}.budgets where id like '%=${key}'`,
    );
    return rows[0];
  };

  /** Carries out a draw of no units of its own. */
  function draw(of: Store<Timing>, key: string, said: Partial<Draw>, { share } = plan) {
    const drawing = { id: 1, want: 1, left: [], back: [], ...said };
    const ask = { plan: { ...plan, share }, key, count: 0, reserve: false };
    return of.execute({ verb: "draw", budgets: [ask], draw: drawing });
  }

  test("no more than 256 shares of a key are out, and the row has all of them", async () => {
    for (const id of Array(258).keys()) {
      const lent = await draw(store, "many", { id: id + 1 });
      expect(lent, `${id}`).toEqual(draw(inMemory, "many", { id: id + 1 }));
      expect(lent.lent.units).toBe(id < 256 ? 1 : 0);
    }
    expect(await rowOf("many")).toMatchObject({ numbers: 3 * 256, older: null });
  });

  test("shares of two lengths are of one definition, in the order in which they end", async () => {
    await draw(store, "lengths", { id: 1 });
    const { definition } = await rowOf("lengths");
    const shorter = { ...plan, share: 1000 };
    await draw(store, "lengths", { id: 2 }, shorter);
    expect(await rowOf("lengths")).toMatchObject({ definition, numbers: 6 });
    clock.advance(9999);
    expect(
      await store.execute({ verb: "peek", budgets: [{ plan, key: "lengths" }] }),
    ).toMatchObject([{ state: { used: 2 * plan.ticksPerUnit } }]);
  });

  test("draws share a request with other calls", async () => {
    const ask = { plan, key: "joint", count: 3, reserve: false };
    const calls = (of: Store<Timing>) => [
      draw(of, "joint", { id: 1, want: 40 }),
      of.execute({ verb: "limit", budgets: [ask] }),
      draw(of, "joint", {
        id: 2,
        want: 5,
        left: [{ id: 1, units: 20 }],
        back: [{ id: 9, units: 1 }],
      }),
      draw(of, "other", { id: 3, want: 2, left: [{ id: 1, units: 3 }] }),
      draw(of, "joint", { id: 2, want: 7, back: [{ id: 1, units: 15 }] }),
      of.execute({ verb: "reset", budgets: [ask] }),
      of.execute({ verb: "value", budgets: [ask] }),
    ];
    expect(await Promise.all(calls(store))).toEqual(calls(inMemory));
  });
});
