/** Clients that go, WebSockets and waiters, under limits on the real Bun, Deno and workerd. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../../packages/spillway/test/servers/until.ts";
import { fences, read } from "../pages.ts";
import { Client, echoOf } from "./client.ts";
import { RUNTIMES } from "./runtimes.ts";
import { Served } from "./served.ts";

const ALL = RUNTIMES.flatMap((runtime) =>
  runtime.behaviours.map((behaviour) => ({ ...runtime, behaviour })),
);
const ADAPTERS = ["fetch", "hono"];
const MODES = ["real", "shadow"];
const PLACES = ADAPTERS.flatMap((adapter) => MODES.map((mode) => [adapter, mode] as const));

describe.each(ALL)("$title, $behaviour", ({ title, routes, binary, serve, behaviour }) => {
  describe.skipIf(binary === "")(binary ? "serves" : "skipped: npm has none", () => {
    let served: Served;
    const { env } = process;

    beforeAll(async () => {
      served = await serve((args) => Served.start({ path: binary, args, env }), routes, behaviour);
    });
    // Undefined where it did not start.
    afterAll(() => served?.stop());

    const knowsItself = title === "Bun";
    const canRefuse = title === "Cloudflare Workers";

    describe.each(PLACES)("%s, %s", (adapter, mode) => {
      const under = (limits: string, what: string) => `/${adapter}/${limits}/${mode}/${what}`;

      test.each(["slow", "stream"])("a client that goes while it is answered: %s", async (what) => {
        const client = new Client(served.url);
        const begun = Array.from({ length: 3 }, () => client.begin(under("lease", what)));
        await client.untilLeft(0);
        if (what === "stream") {
          for (const { head } of begun) expect(await head).toMatch(/^HTTP\/1.1 200 /);
          expect((await client.state()).leases).toBe(0);
        }
        for (const { go } of begun) go();
        await client.untilLeft(3);
      });

      test.each(["answer", "empty", "kept"])("what is answered: %s", async (what) => {
        const client = new Client(served.url);
        const response = await client.get(under("lease", what));
        expect(response.status).toBe(200);
        await response.text();
        await client.untilLeft(3);
        expect(await client.state()).toMatchObject({ settled: ["200 true"], failed: [] });
      });

      test.each(["answer", "empty", "kept"])(
        "an answer to who asks for a WebSocket: %s",
        async (what) => {
          const client = new Client(served.url);
          const { head, go } = client.shake(under("lease", what));
          expect(await head).toMatch(/^HTTP\/1.1 200 /);
          await client.untilLeft(3);
          go();
        },
      );

      test.each(["forgotten", "held"])("a WebSocket under a rate: %s", async (what) => {
        const client = new Client(served.url);
        const { socket, opened } = client.open(under("rate", what));
        expect(await opened).toBe(true);
        expect(await echoOf(socket, "hello")).toBe("hello");
        expect(await client.state()).toMatchObject({
          requests: 4,
          settled: ["101 true"],
          failed: [],
        });
        socket.close();
      });

      test("a WebSocket under a lease that is held", async () => {
        const client = new Client(served.url);
        const sockets = Array.from({ length: 3 }, () => client.open(under("lease", "held")));
        for (const { opened } of sockets) expect(await opened).toBe(true);
        for (const { socket } of sockets) expect(await echoOf(socket, "hello")).toBe("hello");
        const settled = ["101 true", "101 true", "101 true"];
        expect(await client.state()).toMatchObject({ leases: 0, requests: 2, settled, failed: [] });
        for (const { socket } of sockets) socket.close();
        await client.untilLeft(3);
      });

      test("a WebSocket under a lease whose connection breaks off", async () => {
        const client = new Client(served.url);
        const { head, go } = client.shake(under("lease", "held"));
        expect(await head).toMatch(/^HTTP\/1.1 101 /);
        expect((await client.state()).leases).toBe(2);
        go();
        await client.untilLeft(3);
      });

      test("a WebSocket under a lease that nobody holds", async () => {
        const client = new Client(served.url);
        const { socket, opened } = client.open(under("lease", "forgotten"));
        if (knowsItself) {
          expect(await opened).toBe(true);
          expect((await client.state()).leases).toBe(2);
          socket.close();
          await client.untilLeft(3);
          return;
        }
        const code = "socket-not-held";
        await until(async () => (await client.state()).failed[0] === code, {
          what: "it is reported",
        });
        expect(await opened).toBe(mode === "shadow" || !canRefuse);
        expect((await client.state()).leases).toBe(mode === "shadow" || canRefuse ? 3 : 2);
        socket.close();
      });

      test.each(["failed", "thrown"])(
        "a handler that holds its lease, and opens none: %s",
        async (what) => {
          const client = new Client(served.url);
          const { go } = client.shake(under("lease", what));
          await client.untilLeft(3);
          go();
        },
      );
    });

    test("who waits has a turn, though whoever came before is gone", async () => {
      const client = new Client(served.url);
      const holder = client.begin("/turn/hold");
      await until(async () => (await client.state()).turns === 0, { what: "the turn is taken" });
      const gone = client.begin("/turn?ms=600000");
      const waiters = [client.get("/turn?ms=600000"), client.get("/turn?ms=600000")];
      const late = await client.get("/turn?ms=50");
      expect([late.status, await late.text()]).toEqual([200, "refused"]);
      gone.go();
      holder.go();
      for (const waiter of waiters) expect(await (await waiter).text()).toBe("had its turn");
      expect((await client.state()).turns).toBe(1);
    });

    test("a lease is renewed though whoever came before is gone", async () => {
      const client = new Client(served.url);
      const first = client.begin("/renewed");
      await first.head;
      const second = client.begin("/renewed");
      await second.head;
      first.go();
      const renewals = async () => Number(await (await client.get("/renewals")).text());
      const before = await renewals();
      await until(async () => (await renewals()) > before + 1, { what: "it is renewed" });
      second.go();
    });
  });
});

describe.each(RUNTIMES)("$title", ({ title, routes, binary, serve }) => {
  test.skipIf(title !== "Cloudflare Workers" || binary === "")(
    "a worker without the flag",
    async () => {
      const { env } = process;
      const start = serve((args) => Served.start({ path: binary, args, env }), routes);
      const [section = ""] =
        /^## `no-request-signal`[\s\S]*?\n## /m.exec(read("docs/errors.md")) ?? [];
      const [message = "none"] = fences(section, "text");
      await expect(start).rejects.toThrow(message);
    },
  );
});
