/** The SQL of docs/stores/postgres.md does what the page says. */
import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { query } from "../../servers/postgres/query.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { OLDER, olderPool } from "./older-program.ts";

const PAGE = new URL("../../../../../docs/stores/postgres.md", import.meta.url);
const FENCES = [...readFileSync(PAGE, "utf8").matchAll(/^```sql\n(.*?)^```/gms)];

const LIMITS = { orders: { kind: "token bucket", rate: 2, period: "1d" } } as const;

/** The one statement of the page in which these words are. */
function sqlWith(words: string): string {
  const [found, ...others] = FENCES.map(([, sql = ""]) => sql).filter((sql) => sql.includes(words));
  expect(others).toEqual([]);
  return found as string;
}

let server: PostgresServer;
let administrator: pg.Pool;
let owner: pg.Pool;
let app: pg.Pool;
let older: pg.Pool;

/** In the page's database. */
const urlOf = (role: string) =>
  server.url.replace(/\/\/[^/]*@/, `//${role}@`).replace(/[^/]*$/, "shop");
const poolOf = (role: string) => new pg.Pool({ connectionString: urlOf(role) });
const limiterOn = (pool: pg.Pool) =>
  new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline: 60_000 }) });

beforeAll(async () => {
  server = await startPostgres();
  await query(server, "create role owner login; create role app login");
  await query(server, "create database shop");
  [administrator, owner, app] = [poolOf("postgres"), poolOf("owner"), poolOf("app")];
  older = olderPool(urlOf("app"), 1);
});
afterAll(async () => {
  await Promise.all([administrator, owner, app, older].map((pool) => pool.end()));
  await server[Symbol.asyncDispose]();
});

test("these rights suffice, where not everybody may execute functions", async () => {
  await administrator.query(
    "alter default privileges for role owner revoke execute on functions from public",
  );
  await administrator.query(sqlWith("grant create on database"));
  await administrator.query(sqlWith("create schema"));
  await owner.query(OLDER[1]);
  await migrate(owner);
  await administrator.query(sqlWith("grant usage on schema spillway to app"));
  await expect(app.query(sqlWith("v4_sweep("))).rejects.toThrow("permission denied for function");
  await owner.query(sqlWith("grant execute"));
  expect(await limiterOn(app).limit("orders", { key: "k" })).toMatchObject({ remaining: 1 });
  expect(await limiterOn(older).limit("orders", { key: "k" })).toMatchObject({ remaining: 0 });
});

test("who is blocked, and who would be refused", async () => {
  await limiterOn(app).limit("orders", { key: "well" });
  await limiterOn(app).block("orders", { key: "b", for: "1h" });
  const { rows: blocked } = await app.query(sqlWith("as until"));
  expect(blocked).toEqual([{ id: "6:orders=b", until: expect.any(Date) }]);
  const { rows: refused } = await app.query(sqlWith("as blocked"));
  expect(refused).toMatchObject([
    { id: "6:orders=b", blocked: true },
    { id: "6:orders=k", blocked: false },
  ]);
});

test("what is swept equals no row", async () => {
  await limiterOn(app).reset("orders", { key: "b" });
  await limiterOn(app).unblock("orders", { key: "b" });
  await app.query(sqlWith("v4_sweep("));
  const { rows } = await app.query("select id from spillway.budgets order by id");
  expect(rows).toEqual([{ id: "6:orders=k" }, { id: "6:orders=well" }]);
});

test("nothing is left of version 1, and version 4 goes on, until version 1 is installed again", async () => {
  await owner.query(sqlWith("starts_with(proname, 'v1_')"));
  const left = `select proname from pg_proc where proname ~ '^v1_' union all
    select typname from pg_type where typname ~ '^_?v1_' union all select version::text from spillway.migrations`;
  expect((await owner.query(left)).rows).toEqual([{ proname: "4" }]);
  expect(await limiterOn(app).limit("orders", { key: "k" })).toMatchObject({ ok: false });
  await owner.query(OLDER[1]);
  await owner.query(sqlWith("grant execute"));
  expect(await limiterOn(older).limit("orders", { key: "well" })).toMatchObject({ remaining: 0 });
});
