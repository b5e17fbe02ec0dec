import { migration } from "spillway/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../../../spillway/test/servers/postgres/query.ts";
import type { PostgresServer } from "../../../../spillway/test/servers/postgres/server.ts";
import { startMigrated } from "../../support/postgres.ts";
import { startService } from "../../support/service-process.ts";
import { ask, serveYearly, YEARLY } from "../../support/yearly.ts";

// Processes are slow to start on a busy machine.

/** A busy machine is no outage. */
const PATIENT = ["--deadline", "30000"];

describe("services with one Postgres", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startMigrated();
  });
  afterAll(() => server.stop());

  it("share one budget, to the unit", async () => {
    const env = { SPILLWAY_STORE: server.url };
    await using one = await serveYearly(server.url, PATIENT);
    await using other = await startService({ rules: YEARLY, args: PATIENT, env });
    const asked = Array.from({ length: 150 }, (_, index) => ask(index % 2 === 0 ? one : other));
    const replies = await Promise.all(asked);
    const taken = replies.filter(({ status }) => status === 200).map(({ body }) => body.remaining);
    expect(taken.toSorted((a, b) => Number(b) - Number(a))).toEqual(
      Array.from({ length: 100 }, (_, index) => 99 - index),
    );
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(50);
    expect(await one.health()).toBe("200 OK");
    expect(await one.stop()).toBe(0);
    expect(one.warnings).toEqual([]);
  });

  it("refuse whom they refused before they were killed and started again", async () => {
    {
      await using service = await serveYearly(server.url, PATIENT);
      expect((await ask(service, { user: "bob", count: 100 })).body.remaining).toBe(0);
      expect((await ask(service, { user: "eve", count: 30 })).body.remaining).toBe(70);
      // It is killed here, with SIGKILL.
    }
    await using service = await serveYearly(server.url, PATIENT);
    expect((await ask(service, { user: "bob" })).status).toBe(429);
    expect((await ask(service, { user: "eve", count: 71 })).status).toBe(429);
    expect((await ask(service, { user: "eve", count: 70 })).status).toBe(200);
  });

  it("share nothing with those of another schema", async () => {
    await query(server, migration({ schema: "trial" }));
    await using production = await serveYearly(server.url, PATIENT);
    await using trial = await serveYearly(server.url, [...PATIENT, "--schema", "trial"]);
    expect(trial.said).toMatch(/, state in postgres:\/\/127[^ ]*\/postgres, schema trial\n/);
    for (const service of [production, trial]) {
      expect((await ask(service, { user: "dan" })).body.remaining).toBe(99);
    }
  });

  it("have connections that say whose they are", async () => {
    await using service = await serveYearly(server.url, PATIENT);
    await ask(service);
    const text = "select from pg_stat_activity where application_name = 'spillway'";
    expect(await query(server, text)).not.toEqual([]);
  });
});
