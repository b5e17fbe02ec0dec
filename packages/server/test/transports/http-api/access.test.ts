/** Who may make guarded calls, before a service listens, while it does, and while it stops. */
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../spillway/test/runs.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import {
  createMetricsServer,
  createServer,
  createService,
  TokenError,
} from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { type Call, callText, guardedCalls, isShut } from "../../support/guarded.ts";
import { exchange, postText, statusesOf } from "../../support/raw.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor, serve } from "../../support/service.ts";
import { startService } from "../../support/service-process.ts";
import { SHOP } from "../../support/shop.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const TOKEN = "0123456789abcdef";
const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
const PLACES = ["127.0.0.1", "0.0.0.0"].flatMap((host) =>
  [undefined, TOKEN].map((token) => ({ host, token })),
);

type Place = (typeof PLACES)[number];

/** Who is let in: everybody, whoever has the token, or nobody. */
function admitted({ host, token }: Place): "everybody" | "with the token" | "nobody" {
  if (token !== undefined) return "with the token";
  return host === "127.0.0.1" ? "everybody" : "nobody";
}

/** The statuses of a call without a token, with a wrong one, and with the right one. */
type Statuses = readonly (number | undefined)[];

const TOKENS = [undefined, "fedcba9876543210", TOKEN];
const ADMITTED = {
  everybody: [false, false, false],
  "with the token": [true, true, false],
  nobody: [true, true, true],
} as const;

/** All that a server can have that is guarded. */
const everything = {
  metrics: { contentType: "text/plain", text: async function* () {} },
  log: { level: "info", keys: false } as const,
  askRules: async () => ({
    type: "refused" as const,
    code: "bad-rules" as const,
    detail: "These are none",
  }),
};

type Held = { readonly call: Call; readonly token: string | undefined };

/** Begins a request on a connection, and returns how to end it, with a guarded call behind it. */
async function hold(port: number, { call, token }: Held) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  const request = postText("/v1/check", ann);
  socket.write(request.slice(0, -1));
  const answer = text(socket);
  return async (): Promise<Statuses> => {
    socket.write(request.slice(-1) + callText(call, token));
    return statusesOf(await answer);
  };
}

describe.each(PLACES)("on $host with the token $token", (place) => {
  const options = { ...everything, adminToken: place.token };
  const shut = ADMITTED[admitted(place)];

  it("shuts all guarded calls, or none, while it serves", async () => {
    const server = await serve(SHOP, options, place.host);
    const calls = await guardedCalls(server.url);
    expect(calls.map(({ path }) => path)).toEqual([
      "/v1/reset",
      "/v1/settle",
      "/v1/block",
      "/v1/unblock",
      "/v1/commands",
      "/v1/rules",
      "/v1/rules",
      "/v1/log",
      "/metrics",
    ]);
    for (const call of calls) {
      for (const [index, token] of TOKENS.entries()) {
        const [status] = statusesOf(await exchange(server, callText(call, token)));
        expect(isShut(status), `${call.method} ${call.path} ${token}`).toBe(shut[index]);
      }
    }
  });

  it("lets in nobody without the token before it listens", async () => {
    const service = createService({ rules: rulesOf(SHOP) });
    const app = await createServer({ service, ...options });
    atEnd(() => app.close());
    const { url } = await serve(SHOP, options, place.host);
    for (const { method, path } of await guardedCalls(url)) {
      for (const token of TOKENS) {
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        const { statusCode } = await app.inject({ method, url: path, headers });
        const isRight = place.token !== undefined && token === place.token;
        expect(isShut(statusCode), `${method} ${path} ${token}`).toBe(!isRight);
      }
    }
  });

  it("lets in whom it has let in before, while it stops", async () => {
    const server = await serve(SHOP, options, place.host);
    const calls = (await guardedCalls(server.url)).flatMap((call) =>
      TOKENS.map((token, index) => ({ call, token, expected: shut[index] })),
    );
    const port = Number(new URL(server.url).port);
    const begun = new Set<unknown>();
    server.app.server.on("request", (request) => begun.add(request));
    const ends = await Promise.all(calls.map((one) => hold(port, one)));
    await until(() => begun.size === calls.length, { what: "all of them are under way" });
    const closed = server.app.close();
    await until(() => !server.app.server.listening, { what: "nobody else can connect" });
    expect(server.app.server.address()).toBe(null);
    for (const [index, { call, token, expected }] of calls.entries()) {
      const [first, second] = (await ends[index]?.()) ?? [];
      expect(first).toBe(200);
      expect(isShut(second), `${call.method} ${call.path} ${token}`).toBe(expected);
    }
    await closed;
  });
});

function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(false));
    socket.once("error", () => resolve(true));
    socket.once("connect", () => socket.destroy());
  });
}

/** What strangers can do to a service that stops, beside its guard: what it should be. */
async function tryWhileStopping(place: Place, workers: number): Promise<void> {
  const store = `sqlite:${temporaryDirectory()}/limits.db`;
  const env = place.token === undefined ? {} : { SPILLWAY_ADMIN_TOKEN: place.token };
  const args = ["--host", place.host, "--workers", String(workers), "--store", store];
  await using service = await startService({
    rules: SHOP,
    args: [...args, "--grpc-port", "0"],
    env,
  });
  const calls = (await guardedCalls(service.url)).flatMap((call) =>
    TOKENS.map((token) => ({ call, token })),
  );
  const ends = await Promise.all(calls.map((one) => hold(service.port, one)));
  service.signal("SIGTERM");
  await until(() => isRefused(service.port), { what: "it listens no more" });
  const answers = await Promise.all(ends.map((end) => end()));
  for (const [index, [first, second]] of answers.entries()) {
    const { call, token } = calls[index] as Held;
    const expected = ADMITTED[admitted(place)][TOKENS.indexOf(token)];
    expect(first).toBe(200);
    expect(isShut(second), `${call.method} ${call.path} ${token}`).toBe(expected);
  }
}

/** A process and workers have each host and each token; long runs make all pairs of them. */
const MIDDLE = PLACES.slice(1, 3);
const FOR_ONE = runs(1) > 1 ? PLACES : PLACES.filter((place) => !MIDDLE.includes(place));
const FOR_WORKERS = runs(1) > 1 ? PLACES : MIDDLE;

it.each(FOR_ONE)(
  "a process on $host with the token $token is no more open when it stops",
  (place) => tryWhileStopping(place, 1),
);

it.each(FOR_WORKERS)(
  "workers on $host with the token $token are no more open when they stop",
  (place) => tryWhileStopping(place, 2),
);

describe("tokens", () => {
  const service = createService({ rules: rulesOf(SHOP) });
  const { metrics } = everything;

  it.each(["", "x", "0123456789abcde", "0123456789 abcdef", "ä".repeat(16)])(
    "such as %j are refused, and are no part of the message",
    async (token) => {
      for (const name of ["adminToken", "storeToken", "metricsToken"]) {
        const making = createServer({ service, [name]: token });
        const error = await making.catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(TokenError);
        expect(error).toMatchObject({ code: "bad-token", message: expect.stringContaining(name) });
        if (token.length > 1) expect((error as Error).message).not.toContain(token);
      }
      await expect(createMetricsServer({ metrics, service, metricsToken: token })).rejects.toThrow(
        TokenError,
      );
    },
  );
});
