/** `--drain`: health says that the service stops, requests are answered, and then the ports close. */
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import protobuf from "protobufjs";
import { describe, expect, it } from "vitest";
import { startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import { descriptor } from "../../support/service.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";
import { call, clientOf } from "../../transports/envoy/grpc-transport.ts";

// Processes are slow to start on a busy machine. Where a service drains for an hour, its end is not that of the time.

const RULES = `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: year, requests_per_unit: 1000000 }
`;
const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };

const proto = protobuf.loadSync(
  fileURLToPath(new URL("../../../proto/health.proto", import.meta.url)),
);
const healthType = proto.lookupType("HealthCheckResponse");

/** What a gRPC client sees: the health on a connection of its own, and whether a call is answered. */
function grpcOf(service: ServiceProcess) {
  const port = Number(/gRPC on 127\.0\.0\.1:(\d+)/.exec(service.said)?.[1]);
  const health = (client: grpc.Client): Promise<string> =>
    new Promise((resolve) => {
      client.makeUnaryRequest(
        "/grpc.health.v1.Health/Check",
        (message: Buffer) => message,
        (answer: Buffer) => healthType.toObject(healthType.decode(answer), { enums: String }),
        Buffer.alloc(0),
        (error, value) => resolve(error === null ? String(value?.status) : String(error.code)),
      );
    });
  const withClient = async <T>(ask: (client: grpc.Client) => Promise<T>): Promise<T> => {
    // A pool of its own, so that each asks on a connection that is made now.
    const client = clientOf({ port }, undefined, { "grpc.use_local_subchannel_pool": 1 });
    try {
      return await ask(client);
    } finally {
      client.close();
    }
  };
  return {
    health: () => withClient(health),
    limit: () => withClient(async (client) => (await call(client, ann)).overallCode),
  };
}

function serve(...args: readonly string[]): Promise<ServiceProcess> {
  return startService({ rules: RULES, args: ["--metrics-port", "0", ...args] });
}

/** Sends the first signal, and waits until its health is heard of. */
async function draining(service: ServiceProcess): Promise<{ readonly code: Promise<unknown> }> {
  const code = service.stop();
  await until(async () => (await service.health()) === "503 Stopping", { what: "it drains" });
  return { code };
}

async function readyAt(url: string): Promise<number> {
  return (await fetch(`${url}/readyz`)).status;
}

describe.concurrent("a service that drains", () => {
  it("is not ready at any of its ports, and answers on new connections", async () => {
    await using service = await serve("--drain", "1h");
    const [, metrics = ""] = /Metrics on (\S+)\/metrics/.exec(service.said) ?? [];
    const { health, limit } = grpcOf(service);
    expect(await health()).toBe("SERVING");
    expect([await readyAt(service.url), await readyAt(metrics)]).toEqual([200, 200]);
    const { code } = await draining(service);
    // Each on a connection of its own, and as often as one likes.
    for (let times = 0; times < 3; times++) {
      expect(await health()).toBe("NOT_SERVING");
      expect([await readyAt(service.url), await readyAt(metrics)]).toEqual([503, 503]);
      expect(await limit()).toBe("OK");
      const { status, headers } = await service.post("/v1/limit", ann);
      expect([status, headers.get("connection")]).toEqual([200, "keep-alive"]);
    }
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    expect(service.said).toMatch(/SIGTERM: no longer ready, but still answering for 3600000 ms/);
    // The second signal: nothing is waited for.
    service.signal("SIGTERM");
    expect(await code).toBe(0);
    expect(service.said).toMatch(/SIGTERM: finishing open requests\n/);
    await expect(service.health()).rejects.toThrow();
    expect(await health()).toBe(String(grpc.status.UNAVAILABLE));
  });

  it("ends by itself when the time is over", async () => {
    await using service = await serve("--drain", "300ms");
    expect(await service.stop()).toBe(0);
    expect(service.said).toMatch(/answering for 300 ms.*\n.*finishing open requests\n/);
  });

  it("doesn't by default", async () => {
    await using service = await serve();
    expect(await service.stop()).toBe(0);
    expect(service.said).not.toMatch(/--drain/);
  });

  it("drains all its workers, and ends them all at the second signal", async () => {
    await using redis = await startRedis();
    const shared = ["--store", redis.url, "--deadline", "30000", "--workers", "2"];
    await using service = await serve("--drain", "1h", ...shared);
    await service.says(/workers serve, as processes/);
    const { health, limit } = grpcOf(service);
    const { code } = await draining(service);
    // Connections go to the workers in turn; one of them may not have heard of it yet.
    const areBoth = async () =>
      (await Promise.all([health(), health(), health(), health()])).every(
        (status) => status === "NOT_SERVING",
      );
    await until(areBoth, { what: "both drain" });
    for (let times = 0; times < 4; times++) expect(await limit()).toBe("OK");
    service.signal("SIGINT");
    expect(await code).toBe(0);
  });
});
