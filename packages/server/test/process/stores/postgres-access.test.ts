import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../../../spillway/test/servers/postgres/query.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import { Command } from "../../support/command.ts";
import { type Guarded, SECRET, startGuarded } from "../../support/postgres.ts";
import { startService } from "../../support/service-process.ts";
import { ask, YEARLY } from "../../support/yearly.ts";

// Processes are slow to start on a busy machine.

const rules = fileURLToPath(new URL("../../../../../examples/rules.yaml", import.meta.url));

describe("a Postgres with passwords", () => {
  let guarded: Guarded;
  beforeAll(async () => {
    guarded = await startGuarded();
    const command = new Command(["migrate", "--store", guarded.urlFor("ann", SECRET)]);
    expect(await command.ended()).toBe(0);
  });
  afterAll(() => guarded.server.stop());

  function serve(url: string) {
    return startService({ rules: YEARLY, args: ["--store", url, "--deadline", "30000"] });
  }

  it("is asked with one, which is not shown", async () => {
    await using service = await serve(guarded.urlFor("ann", SECRET));
    expect((await ask(service)).body.remaining).toBe(99);
    expect(service.said).toContain(`state in postgres://${guarded.place}, schema spillway\n`);
    expect(service.said).not.toContain(SECRET);
    expect(service.warnings).toEqual([]);
  });

  it("lets nobody in with another one, which is not shown either", async () => {
    await using service = await serve(guarded.urlFor("ann", "wr0ng"));
    const why = 'password authentication failed for user "ann"';
    await service.warns(/ retrying until it can: /);
    const [first] = service.warnings;
    expect(first).toBe(`postgres://${guarded.place} can't be used; retrying until it can: ${why}`);
    expect((await ask(service)).body.reason).toBe("unavailable");
    await service.warns(/ failed: /);
    const failed = `the store postgres://${guarded.place} failed: ${why}. Meanwhile the limit `;
    expect(service.warnings).toContainEqual(expect.stringContaining(failed));
    expect(service.said).not.toContain("wr0ng");
  });

  it("serves whom it allows to ask and no more, once it does", async () => {
    await using service = await serve(guarded.urlFor("bob", SECRET));
    await service.warns(/ retrying until it can: /);
    expect(service.warnings[0]).toMatch(
      / retrying until it can: permission denied for schema spillway$/,
    );
    expect((await ask(service)).status).toBe(503);
    const rights = "select, insert, update, delete on spillway.budgets";
    await query(
      { url: guarded.urlFor("ann", SECRET) },
      `grant usage on schema spillway to bob; grant ${rights} to bob`,
    );
    const isReady = () => service.warnings.at(-1) === `postgres://${guarded.place} is ready`;
    await until(isReady, { what: "it says that it can ask" });
    expect((await ask(service, { user: "bob" })).body.remaining).toBe(99);
  });

  it("is let go of by a service that can't begin", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const store = guarded.urlFor("ann", SECRET);
    const command = new Command(["serve", rules, "--store", store, "--port", `${port}`]);
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toMatch(/^port-in-use /);
    other.close();
  });
});

describe("spillway serve", () => {
  it.each([
    [["--schema", "Mine"], {}],
    [[], { SPILLWAY_SCHEMA: "Mine" }],
  ])("says that a schema's name is none: %j %j", async (args, env) => {
    const store = "postgres://127.0.0.1:1/app";
    const command = new Command(["serve", rules, "--store", store, ...args], env);
    expect(await command.ended()).toBe(1);
    expect(command.stdout).toBe("");
    expect(command.stderr).toMatch(
      /^bad-schema --schema, or SPILLWAY_SCHEMA, is "Mine", expected 1 to 48 of a to z[^\n]*\n$/,
    );
  });

  it.each(["prefer", "require", "verify-ca", "verify-full", "no-verify"])(
    "asks for TLS, and warns of nothing: sslmode=%s",
    async (mode) => {
      const server = createServer((socket: Socket) => socket.end("N")).listen(0, "127.0.0.1");
      await once(server, "listening");
      const place = `127.0.0.1:${(server.address() as AddressInfo).port}/app`;
      const store = `postgres://ann@${place}?sslmode=${mode}`;
      const command = new Command(["migrate", "--store", store]);
      expect(await command.ended()).toBe(1);
      expect(command.stderr).toBe(
        `migration-failed postgres://${place}: The server does not support SSL connections\n`,
      );
      server.close();
    },
  );
});
