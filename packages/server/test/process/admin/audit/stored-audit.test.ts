/** An audit log in a store: several services append to it, each version is given once. */
import { DatabaseSync } from "node:sqlite";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../../../../spillway/test/servers/postgres/query.ts";
import type { PostgresServer } from "../../../../../spillway/test/servers/postgres/server.ts";
import { startPostgres } from "../../../../../spillway/test/servers/postgres/start.ts";
import { type RedisNode, startRedis } from "../../../../../spillway/test/servers/redis-node.ts";
import { AuditError, type AuditLog } from "../../../../src/index.ts";
import { openAudit } from "../../../../src/process/admin/audit/open-audit.ts";
import { toStorePlace } from "../../../../src/process/places/index.ts";
import { MOST_KEPT } from "../../../../src/process/stores/index.ts";
import { atEnd } from "../../../support/at-end.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

let redis: RedisNode;
let postgres: PostgresServer;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
});

afterAll(async () => {
  await Promise.all([redis.stop(), postgres.stop()]);
});

const PLACES = {
  SQLite: async () => `sqlite:${temporaryDirectory()}/limits.db`,
  Redis: async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    return redis.url;
  },
  Postgres: async () => {
    await query(postgres, "drop schema if exists spillway cascade; create schema spillway");
    return postgres.url;
  },
};

async function opened(place: string): Promise<AuditLog> {
  const store = toStorePlace(place);
  const audit = await openAudit({ store, schema: "spillway", sentinels: {}, auditFile: undefined });
  atEnd(() => audit.close());
  return audit;
}

const DRAFT = { by: "socket", what: "reset", on: ["shop/user=ann"], outcome: "accepted" } as const;

function versionsOf(entries: readonly { readonly version: number }[]): readonly number[] {
  return entries.map(({ version }) => version);
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe.each(["SQLite", "Redis", "Postgres"] as const)("an audit log in %s", (name) => {
  it("gives each version once, and loses no entry of two services", async () => {
    const place = await PLACES[name]();
    const both = [await opened(place), await opened(place)] as const;
    const drafts = upTo(40).map((n) => ({ ...DRAFT, reason: `${n}` }));
    const appended = await Promise.all(drafts.map((one, n) => both[n % 2 ? 0 : 1].append(one)));
    expect(versionsOf(appended).toSorted((a, b) => a - b)).toEqual(upTo(40));
    const kept = await both[0].recent(999);
    expect(versionsOf(kept)).toEqual(upTo(40));
    expect(kept).toEqual(appended.toSorted((a, b) => a.version - b.version));
    expect(await both[1].recent(3)).toEqual(kept.slice(-3));
  });

  it("appends after a version only while that is the newest", async () => {
    const place = await PLACES[name]();
    const both = [await opened(place), await opened(place)] as const;
    const tries = await Promise.all(both.map((audit) => audit.appendAfter(DRAFT, 0)));
    expect(tries.filter((entry) => entry !== undefined)).toMatchObject([{ version: 1 }]);
    expect(await both[0].appendAfter(DRAFT, 0)).toBe(undefined);
    expect(await both[1].appendAfter(DRAFT, 1)).toMatchObject({ version: 2 });
    expect(versionsOf(await both[0].recent(9))).toEqual([1, 2]);
  });

  it("keeps every text, and goes on from it in another process", async () => {
    const place = await PLACES[name]();
    const draft = { ...DRAFT, on: ["shop/user=\u0000\ud800\"'\n€"], reason: "x".repeat(500) };
    const entry = await (await opened(place)).append(draft);
    const later = await opened(place);
    expect(await later.recent(9)).toEqual([entry]);
    expect(await later.append(DRAFT)).toMatchObject({ version: 2 });
  });

  it("drops its oldest entries, and never the newest", async () => {
    const place = await PLACES[name]();
    const audit = await opened(place);
    await audit.append(DRAFT);
    if (name === "Redis") await fill();
    expect(await audit.appendAfter(DRAFT, 2 * MOST_KEPT)).toMatchObject({
      version: 2 * MOST_KEPT + 1,
    });
    if (name === "Redis") expect(await length()).toBeLessThan(MOST_KEPT + 200);
    else expect(versionsOf(await audit.recent(9))).toEqual([2 * MOST_KEPT + 1]);
  });
});

it("in SQLite keeps no entry of which it reports that it was not kept", async () => {
  const place = await PLACES.SQLite();
  const audit = await opened(place);
  await audit.append(DRAFT);
  const database = new DatabaseSync(place.slice("sqlite:".length));
  const refusal = "begin select raise(abort, 'not now'); end";
  database.exec(`create trigger kept before delete on spillway_audit ${refusal}`);
  await expect(audit.appendAfter(DRAFT, 2 * MOST_KEPT)).rejects.toThrow("not now");
  expect(versionsOf(await audit.recent(9))).toEqual([1]);
  database.exec("drop trigger kept");
  database.close();
  expect(await audit.append(DRAFT)).toMatchObject({ version: 2 });
});

it("in Redis goes on from the last version after its stream was emptied", async () => {
  const both = [await opened(await PLACES.Redis()), await opened(redis.url)] as const;
  for (const audit of both) await audit.append(DRAFT);
  const client = new Redis(redis.url);
  await client.xtrim("spillway:audit", "MAXLEN", 0);
  client.disconnect();
  expect(await both[0].append(DRAFT)).toMatchObject({ version: 3 });
  expect(await both[1].appendAfter(DRAFT, 0)).toBe(undefined);
  expect(await both[1].append(DRAFT)).toMatchObject({ version: 4 });
});

/** Adds so many entries that the oldest have to go. */
async function fill(): Promise<void> {
  const client = new Redis(redis.url);
  const script = "for n = 2, ARGV[1] do redis.call('XADD', KEYS[1], n .. '-0', 'entry', '{}') end";
  await client.eval(script, 1, "spillway:audit", 1.1 * MOST_KEPT);
  client.disconnect();
}

async function length(): Promise<number> {
  const client = new Redis(redis.url);
  const found = await client.xlen("spillway:audit");
  client.disconnect();
  return found;
}

describe("an audit log that can't be used", () => {
  it("in Redis or Postgres says where, why, and a way out", async () => {
    for (const place of ["redis://127.0.0.1:1", "postgres://127.0.0.1:1/x"]) {
      const audit = await opened(place);
      for (const call of [() => audit.append(DRAFT), () => audit.appendAfter(DRAFT, 0)]) {
        const error = await call().catch((found: unknown) => found);
        expect(error).toBeInstanceOf(AuditError);
        expect((error as Error).message).toMatch(/127\.0\.0\.1:1.*ECONNREFUSED.*--audit-file/);
      }
    }
  });

  it("in Postgres names spillway migrate, where its table can't be created", async () => {
    await query(postgres, "drop schema if exists spillway cascade");
    const audit = await opened(postgres.url);
    await expect(audit.append(DRAFT)).rejects.toThrow(/run spillway migrate --store postgres:/);
  });
});
