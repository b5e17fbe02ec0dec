import { migration } from "spillway/postgres";
import { describe, expect, it } from "vitest";
import { startProxy } from "../../../../spillway/test/servers/faulty-proxy.ts";
import { query } from "../../../../spillway/test/servers/postgres/query.ts";
import { startPostgres } from "../../../../spillway/test/servers/postgres/start.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import { DEGRADED, isHealthy, recovered, told } from "../../support/outage.ts";
import { startMigrated } from "../../support/postgres.ts";
import type { ServiceProcess } from "../../support/service-process.ts";
import { ask, serveYearly } from "../../support/yearly.ts";

// Processes are slow to start on a busy machine.

/** Enough for a busy machine, which is no outage. */
const PATIENT = ["--deadline", "1000"];

async function refusesAll(service: ServiceProcess): Promise<void> {
  for (let asked = 0; asked < 6; asked++) {
    const { status, headers, body } = await ask(service);
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    expect(body).toMatchObject({ ok: false, reason: "unavailable", degraded: true });
  }
  await isHealthy(service, DEGRADED);
}

describe.concurrent("a service whose Postgres", () => {
  it("is killed refuses all, and recovers by itself with what was used before", async () => {
    await using server = await startMigrated();
    await using service = await serveYearly(server.url, PATIENT);
    const refused = async () => (await ask(service, { count: 100 })).status === 429;
    await until(refused, { what: "the hundred are taken" });
    await server.kill();
    await refusesAll(service);
    await server.restart();
    await recovered(service);
    await until(refused, { what: "it knows that they are" });
    expect(await service.stop()).toBe(0);
    expect(told(service, /^the store postgres:\S+ failed 5 times in a row: /)).toBeGreaterThan(0);
    expect(told(service, /^the store postgres:\S+ answers again; \d+ decisions were made/)).toBe(
      told(service, /failed 5 times in a row/),
    );
  });

  it("is not there yet starts all the same, says so, and asks it when it comes", async () => {
    await using server = await startMigrated();
    await server.kill();
    const policy = ["--when-unavailable", "local", "--instances", "2"];
    await using service = await serveYearly(server.url, policy);
    const unreached = /can't be used; retrying until it can: connect ECONNREFUSED/;
    await service.warns(/ retrying until it can: /);
    expect(service.warnings[0]).toMatch(unreached);
    const { body } = await ask(service, { count: 51 });
    expect(body).toMatchObject({ ok: false, reason: "too large", capacity: 50, degraded: true });
    await server.restart();
    await until(() => told(service, /^postgres:.* is ready$/) === 1, { what: "it is ready" });
    await recovered(service);
  });

  it("is not migrated says what to do, and serves once it is done", async () => {
    await using server = await startPostgres();
    await using service = await serveYearly(server.url, PATIENT);
    const place = `postgres://127.0.0.1:${server.port}/postgres`;
    const missing = "schema spillway is not installed there, or is too old";
    const advice = `${missing}; run spillway migrate --store ${place}`;
    await service.warns(/ retrying until it can: /);
    expect(service.warnings).toEqual([`${place} can't be used; retrying until it can: ${advice}`]);
    await refusesAll(service);
    await service.warns(/ failed: /);
    const failed = `the store ${place} failed: ${advice}. Meanwhile the limit `;
    expect(service.warnings).toContainEqual(expect.stringContaining(failed));
    await query(server, migration());
    await recovered(service);
    await until(() => service.warnings.includes(`${place} is ready`), { what: "it says so" });
  });

  it("hangs makes a new connection, for the old one may never say anything again", async () => {
    await using server = await startMigrated();
    await using proxy = await startProxy(server.port);
    await using service = await serveYearly(server.urlAt(proxy.port));
    await recovered(service);
    proxy.hang();
    expect((await ask(service)).status).toBe(503);
    proxy.heal();
    await recovered(service);
  });
});
