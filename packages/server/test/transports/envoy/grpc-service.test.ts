/** What holds for connections: deadlines, certificates, age, and the end of the service. */
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import * as grpc from "@grpc/grpc-js";
import { memoryStore, type Store } from "spillway";
import { describe, expect, it } from "vitest";
import { createService } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { rulesOf } from "../../support/rules.ts";
import { SHOP } from "../../support/shop.ts";
import { openClient, serveShop } from "../../support/shop-rls.ts";
import { certificates } from "./certificates.ts";
import { call } from "./grpc-transport.ts";

const user = { entries: [{ key: "user", value: "ann" }] };
const ann = { domain: "shop", descriptors: [user] };
const codeOf = (answer: Promise<unknown>): Promise<number> =>
  answer.then(
    () => grpc.status.OK,
    ({ code }: grpc.ServiceError) => code,
  );

type Held = {
  readonly store: Store;
  /** When it has been asked something. */
  readonly asked: Promise<void>;
  readonly release: () => void;
};

/** A store whose answers wait until they are let go. */
function heldStore(): Held {
  const inner = memoryStore();
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const store: Store<"later"> = {
    timing: "later",
    execute: async (command) => {
      ask();
      await held;
      return inner.execute(command);
    },
  };
  return { store, asked, release: () => release() };
}

describe("a deadline of the client's", () => {
  it("ends a call that the store takes longer for", async () => {
    const { store, release } = heldStore();
    const server = await serveShop({ service: createService({ rules: rulesOf(SHOP), store }) });
    // The client's own timer would say the same: what the server says is seen on the wire.
    const session = connectHttp2(`http://127.0.0.1:${server.port}`);
    atEnd(() => session.destroy());
    const stream = session.request({
      ":method": "POST",
      ":path": "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit",
      "content-type": "application/grpc",
      "grpc-timeout": "20m",
    });
    const shop = [0x0a, 4, ...Buffer.from("shop"), 0x12, 13, 0x0a, 11, 0x0a, 4];
    const body = [...shop, ...Buffer.from("user"), 0x12, 3, ...Buffer.from("ann")];
    stream.end(Buffer.from([0, 0, 0, 0, body.length, ...body]));
    const [headers] = await once(stream, "response");
    expect(headers["grpc-status"]).toBe(String(grpc.status.DEADLINE_EXCEEDED));
    release();
  });
});

describe("a service that ends", () => {
  it("answers what is under way, and takes no more", async () => {
    const { store, asked, release } = heldStore();
    const service = createService({ rules: rulesOf(SHOP), store });
    const server = await serveShop({ service, grace: 60_000 });
    const answer = call(openClient(server), ann);
    await asked;
    const closed = server.close();
    release();
    expect((await answer).overallCode).toBe("OK");
    await closed;
    expect(await codeOf(call(openClient(server), ann))).toBe(grpc.status.UNAVAILABLE);
  });

  it("waits no longer than its grace", async () => {
    const { store, asked } = heldStore();
    const server = await serveShop({
      service: createService({ rules: rulesOf(SHOP), store }),
      grace: 1,
    });
    const answer = codeOf(call(openClient(server), ann));
    await asked;
    await server.close();
    expect(await answer).not.toBe(grpc.status.OK);
  });
});

describe("a connection", () => {
  it("that is too old takes no more calls, once its client has heard of it", async () => {
    const server = await serveShop({ maxAge: 1 });
    const session = connectHttp2(`http://127.0.0.1:${server.port}`);
    atEnd(() => session.destroy());
    const [code, last] = await once(session, "goaway");
    expect([code, last]).toEqual([0, 2 ** 31 - 1]);
    await once(session, "close");
  });

  it("that is too old goes unnoticed by a gRPC client", async () => {
    // No call is cut where the machine stands still.
    const server = await serveShop({ maxAge: 1, grace: 60_000 });
    const asking = openClient(server);
    for (let turn = 0; turn < 20; turn++) {
      const { statuses } = await call(asking, { ...ann, hitsAddend: 1 });
      expect(statuses).toHaveLength(1);
    }
  });
});

describe("a mistake of the service's own", () => {
  it("is logged by a line each for what it says and where it was, whatever a request says", async () => {
    const service = createService({ rules: rulesOf(SHOP) });
    const said: string[] = [];
    const forged = "mistake\n    at x\n2026-01-01T00:00:00.000Z spillway: forged\u001b[31m";
    const limit = () => {
      throw new Error(forged);
    };
    const warn = (message: string) => said.push(message);
    const server = await serveShop({ service: { ...service, limit }, warn });
    expect(await codeOf(call(openClient(server), ann))).toBe(grpc.status.INTERNAL);
    const [line, ...frames] = (said[0] ?? "").split("\n");
    expect(said).toHaveLength(1);
    const shown = String.raw`a call failed: mistake\n    at x\n2026-01-01T00:00:00.000Z`;
    expect(line).toContain(shown);
    expect(line).not.toContain("\u001b");
    for (const frame of frames) expect(frame).toMatch(/^ {4}at .*\.[jt]s:\d+/);
  });
});

describe("TLS", () => {
  it("is spoken by the certificate that the service has", async () => {
    const { authority, server: tls } = certificates();
    const server = await serveShop({ tls });
    const secure = grpc.credentials.createSsl(authority);
    expect((await call(openClient(server, secure), ann)).overallCode).toBe("OK");
    expect(await codeOf(call(openClient(server), ann))).toBe(grpc.status.UNAVAILABLE);
  });

  it("may ask clients for certificates of their own", async () => {
    const { authority, server: tls, client: own } = certificates();
    const server = await serveShop({ tls: { ...tls, ca: authority } });
    const known = grpc.credentials.createSsl(authority, own.key, own.cert);
    expect((await call(openClient(server, known), ann)).overallCode).toBe("OK");
    const unknown = grpc.credentials.createSsl(authority);
    expect(await codeOf(call(openClient(server, unknown), ann))).toBe(grpc.status.UNAVAILABLE);
  });
});
