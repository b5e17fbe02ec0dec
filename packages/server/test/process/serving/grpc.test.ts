/** gRPC as `spillway serve` offers it, in processes of its own. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import { atEnd } from "../../support/at-end.ts";
import { Command } from "../../support/command.ts";
import { readMetrics, sampleOf } from "../../support/prometheus.ts";
import { SHOP } from "../../support/shop.ts";
import { openClient } from "../../support/shop-rls.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { certificates } from "../../transports/envoy/certificates.ts";
import { call } from "../../transports/envoy/grpc-transport.ts";

type Env = Readonly<Record<string, string>>;

/** Serves the shop's rules, and returns the process and its port for gRPC. */
async function serve(args: readonly string[], env: Env = {}) {
  const file = join(temporaryDirectory(), "shop.yaml");
  writeFileSync(file, SHOP);
  const paths = env.RUNTIME_ROOT === undefined ? [file] : [];
  const command = new Command(["serve", ...paths, "--port", "0", ...args], env);
  atEnd(async () => {
    command.process.kill("SIGKILL");
    await command.ended();
  });
  const [, port] = await command.says(/gRPC on 127\.0\.0\.1:(\d+)/);
  await command.says(/Listening on/);
  return { command, port: Number(port) };
}

const METHOD = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
const ann = { domain: "shop", descriptors: [{ entries: [{ key: "user", value: "ann" }] }] };

describe("spillway serve", () => {
  it("answers gRPC, and ends with 0", async () => {
    const { command, port } = await serve([]);
    expect((await call(openClient({ port }), ann)).statuses).toMatchObject([{ limitRemaining: 4 }]);
    command.process.kill("SIGTERM");
    expect(await command.ended()).toBe(0);
  });

  it("understands the environment of envoyproxy/ratelimit", async () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, "ratelimit", "config"), { recursive: true });
    writeFileSync(join(root, "ratelimit", "config", "shop.yaml"), SHOP);
    const env = {
      RUNTIME_ROOT: root,
      RUNTIME_SUBDIRECTORY: "ratelimit",
      LIMIT_RESPONSE_HEADERS_ENABLED: "true",
      USE_STATSD: "false",
    };
    const { command, port } = await serve([], env);
    const { responseHeadersToAdd } = await call(openClient({ port }), ann);
    expect(responseHeadersToAdd).toMatchObject([
      { key: "RateLimit-Limit", value: "5" },
      { key: "RateLimit-Remaining", value: "4" },
      { key: "RateLimit-Reset" },
    ]);
    expect(command.stderr).toContain("USE_STATSD does nothing here: no statistics are sent");
  });

  it("counts what is unfinished over HTTP and gRPC together, and connections of gRPC", async () => {
    const { command, port } = await serve(["--max-connections", "4"]);
    const [, url = ""] = await command.says(/Listening on (http:\S+)\. Try/);
    const numbers = async () => readMetrics(await (await fetch(`${url}/metrics`)).text());
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    session.on("error", () => {});
    atEnd(() => session.destroy());
    const type = { "content-type": "application/grpc" };
    const stream = session.request({ ":method": "POST", ":path": METHOD, ...type });
    stream.on("error", () => {});
    const body = " ".repeat(20_000);
    stream.write(Buffer.concat([Buffer.from([0, 0, 0, 200, 0]), Buffer.from(body)]));
    const posting = connect(Number(new URL(url).port), "127.0.0.1");
    atEnd(() => posting.destroy());
    const head = "POST /json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    posting.write(`${head}${body.length.toString(16)}\r\n${body}\r\n`);
    const held = async () => sampleOf(await numbers(), "spillway_held_bytes") ?? 0;
    await until(async () => (await held()) >= 40_000, { what: "both are held" });
    const silent = Array.from({ length: 4 }, () => connect(port, "127.0.0.1"));
    for (const socket of silent) {
      atEnd(() => socket.destroy());
      socket.on("error", () => {});
      socket.resume();
    }
    await Promise.any(silent.map((socket) => new Promise((cut) => socket.on("close", cut))));
    const refused = { defence: "connection-refused" };
    expect(sampleOf(await numbers(), "spillway_defences_total", refused)).toBe(1);
    const opened = { transport: "grpc" };
    expect(sampleOf(await numbers(), "spillway_connections", opened)).toBe(4);
    expect(command.stderr).toContain("connections closed on arrival, because --max-connections");
  });

  it("takes new certificates when their files change, and keeps the old where they don't fit", async () => {
    const first = certificates();
    const second = certificates();
    const directory = temporaryDirectory();
    const use = (from: string, name: string) =>
      copyFileSync(join(from, `server.${name}`), join(directory, name));
    for (const name of ["crt", "key"]) use(first.directory, name);
    const files = ["--tls-cert", join(directory, "crt"), "--tls-key", join(directory, "key")];
    const { command, port } = await serve(files);
    const trusting = (authority: Buffer) =>
      call(openClient({ port }, grpc.credentials.createSsl(authority)), ann);
    expect((await trusting(first.authority)).overallCode).toBe("OK");
    use(second.directory, "crt");
    await command.complains(/the previous ones stay in use: .*crt/);
    expect((await trusting(first.authority)).overallCode).toBe("OK");
    use(second.directory, "key");
    await command.says(/certificates have changed/);
    expect((await trusting(second.authority)).overallCode).toBe("OK");
    await expect(trusting(first.authority)).rejects.toThrow();
  });

  it.each([
    [["--tls-cert", "/no/such/file"], "bad-tls expected both --tls-cert and --tls-key, or neither"],
    [["--tls-cert", "/no/such/file", "--tls-key", "x"], "unreadable-path /no/such/file"],
  ])("does not begin with %j", async (args, complaint) => {
    const file = join(temporaryDirectory(), "shop.yaml");
    writeFileSync(file, SHOP);
    const command = new Command(["serve", file, "--port", "0", ...args]);
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toContain(complaint);
  });
});
