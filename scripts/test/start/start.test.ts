/** `npm start` in a fresh clone installs what serving needs and no more, and says what to do where it can't serve. */
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SERVER } from "../../names.mjs";
import { everyMachineGets, holds, lockedIn, neededBy, recordedIn } from "../../setup/lockfile.mjs";
import { OLDEST_NODE } from "../packed/oldest.ts";
import { Clone, megabytesIn } from "./clone.ts";

const clone = new Clone();
afterAll(() => clone[Symbol.asyncDispose]());

const LOGIN = {
  domain: "example",
  descriptors: [
    {
      entries: [
        { key: "auth_type", value: "login" },
        { key: "user", value: "ada" },
      ],
    },
  ],
};

/** Asks a service for its first decision. */
async function decide(url: string): Promise<unknown> {
  const response = await fetch(`${url}/v1/limit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(LOGIN),
  });
  return response.json();
}

/** Runs `npm start` until it serves, and has it stop: what it has said. */
async function startAndStop(node?: string): Promise<string> {
  const run = clone.run("npm start", {}, node);
  expect(await decide(await run.url())).toMatchObject({ ok: true, remaining: 4 });
  expect(await run.stop()).toBe(0);
  return run.said;
}

// In this order: each begins with what the one before has left.
describe("npm start", () => {
  test("says first what it installs, installs that, and serves", async () => {
    const said = await startAndStop();
    const [, count, megabytes] = /Installing .* (\d+) packages, (\d+) MB:/.exec(said) ?? [];
    expect(said).toMatch(/^Built in /m);

    const locked = lockedIn(clone.folder);
    const needed = neededBy(locked, { workspace: "packages/server" });
    expect(needed.length).toBeLessThanOrEqual(110);
    expect(Number(count)).toBe(needed.filter((path) => !locked[path]?.link).length);
    // Beside the link to the workspace itself.
    const installed = Object.keys(recordedIn(clone.folder)).filter((path) => path in locked);
    expect(installed.filter((path) => path.startsWith("node_modules/")).sort()).toEqual(
      [...needed, `node_modules/${SERVER}`].sort(),
    );

    const size = megabytesIn(join(clone.folder, "node_modules"));
    expect(size).toBeLessThanOrEqual(60);
    expect(Math.abs(size - Number(megabytes)) / size).toBeLessThan(0.25);
    expect(existsSync(join(clone.folder, ".spillway"))).toBe(false);
  });

  test("installs nothing the second time", async () => {
    expect(await startAndStop()).not.toContain("Installing");
  });

  test("is not all that tests need", () => {
    expect(holds(clone.folder, everyMachineGets(lockedIn(clone.folder)))).toBe(false);
  });

  test.each(["PORT", "GRPC_PORT"])(
    "names the variable of a port that is taken: %s",
    async (name) => {
      const other = createServer().listen(0, "127.0.0.1");
      await once(other, "listening");
      const { port } = other.address() as AddressInfo;
      const run = clone.run("npm start", { [name]: String(port) });
      expect(await run.ended()).toBe(1);
      const otherPort = port < 60_000 ? port + 1000 : port - 1000;
      expect(run.said).toContain(
        `127.0.0.1:${port}; choose another port with ${name}=${otherPort} npm start;`,
      );
      other.close();
    },
  );

  test("has the service say how to install OpenTelemetry", async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
    const run = clone.run("node packages/server/bin/spillway.js serve examples/rules.yaml", env);
    expect(await run.ended()).toBe(1);
    expect(run.said).toMatch(
      /^missing-package OTEL_EXPORTER_OTLP_ENDPOINT needs .* npm install "@opentelemetry\/api@\^[\d.]+" /,
    );
  });

  test("says so where npm can't reach its registry", async () => {
    rmSync(join(clone.folder, "node_modules", "yaml"), { recursive: true });
    const run = clone.run("npm start", {
      npm_config_registry: "http://127.0.0.1:1",
      npm_config_cache: join(clone.folder, "no-cache"),
      npm_config_fetch_retries: "0",
    });
    expect(await run.ended()).not.toBe(0);
    expect(run.said).toMatch(/npm can't reach its registry: .*; then run `npm start` again\.\n$/);
  });

  test("mends what is incomplete, with a Node of its own where this machine's is too old", async () => {
    const needed = neededBy(lockedIn(clone.folder), { workspace: "packages/server" });
    expect(holds(clone.folder, needed)).toBe(false);
    const said = await startAndStop(OLDEST_NODE);
    expect(said).toContain("Installing what serving needs");
    if (OLDEST_NODE !== undefined) {
      expect(said).toMatch(/Installing Node 24\.[\d.]+, .* because this machine's is 22\.12\.0:/);
    }
    expect(await startAndStop(OLDEST_NODE)).not.toContain("Installing");
  });
});
