/** What the settings of TLS say together, and what the files have to hold. */
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import * as grpc from "@grpc/grpc-js";
import { memoryStore } from "spillway";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import { createService, type RlsOptions, type TlsOptions } from "../../../src/index.ts";
import {
  checkTls,
  readTls,
  signatureOfTls,
  watchTls,
} from "../../../src/process/serving/tls-files.ts";
import { consoleLog } from "../../../src/telemetry/index.ts";
import { isClientName, isMadeOutTo } from "../../../src/transports/envoy-rls/grpc/client-name.ts";
import { atEnd } from "../../support/at-end.ts";
import { Command } from "../../support/command.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";
import { openClient, serveShop } from "../../support/shop-rls.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import {
  authorityIn,
  type Certificates,
  certificateFor,
  certificates,
} from "../../transports/envoy/certificates.ts";
import { call, type RlsServer, serveRls } from "../../transports/envoy/grpc-transport.ts";

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };

describe("settings of TLS", () => {
  const given = <T extends string>(name: T) => [undefined, name] as const;
  const all = [undefined, true, false].flatMap((useTls) =>
    given("c.pem").flatMap((tlsCert) =>
      given("k.pem").flatMap((tlsKey) =>
        given("ca.pem").flatMap((tlsClientCa) =>
          given("envoy.mesh").map((tlsClientSan) => {
            return { useTls, tlsCert, tlsKey, tlsClientCa, tlsClientSan };
          }),
        ),
      ),
    ),
  );

  it.each(all)("%j are followed, or refused", (wanted) => {
    const { useTls, tlsCert, tlsKey, tlsClientCa, tlsClientSan } = wanted;
    const hasPair = tlsCert !== undefined && tlsKey !== undefined;
    const hasNone = [tlsCert, tlsKey, tlsClientCa, tlsClientSan].every((one) => one === undefined);
    const isSecure = hasPair && (tlsClientSan === undefined || tlsClientCa !== undefined);
    const isAllowed = (isSecure && useTls !== false) || (hasNone && useTls !== true);
    if (isAllowed) checkTls(wanted);
    else expect(() => checkTls(wanted)).toThrow(expect.objectContaining({ code: "bad-tls" }));
  });

  it("are read again where they have changed since they were read, before they are watched", async () => {
    const [first, second] = [certificates(), certificates()];
    const file = (name: string) => join(first.directory, `server.${name}`);
    const files = { tlsCert: file("crt"), tlsKey: file("key"), tlsClientCa: undefined };
    const seen = await signatureOfTls(files);
    for (const name of ["crt", "key"]) {
      copyFileSync(join(second.directory, `server.${name}`), file(name));
    }
    const { promise: used, resolve: setTls } = Promise.withResolvers<TlsOptions>();
    atEnd(await watchTls(files, { seen, setTls, log: consoleLog(undefined, "silent") }));
    expect((await used).key).toEqual(second.server.key);
  });

  it("need a file of authorities that has one", async () => {
    const { directory } = certificates();
    const tlsCert = join(directory, "server.crt");
    const tlsKey = join(directory, "server.key");
    for (const text of ["", "none"]) {
      const tlsClientCa = join(directory, "empty.crt");
      writeFileSync(tlsClientCa, text);
      await expect(readTls({ tlsCert, tlsKey, tlsClientCa })).rejects.toThrow(/empty\.crt: /);
    }
  });
});

describe("the name of a client", () => {
  // One authority for all: each key takes openssl its time.
  const directory = mkdtempSync(join(tmpdir(), "spillway-tls-"));
  beforeAll(() => authorityIn(directory));
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    ["envoy.mesh", "DNS:envoy.mesh", true],
    ["ENVOY.mesh", "DNS:envoy.MESH", true],
    ["envoy.mesh", "DNS:other.mesh,DNS:envoy.mesh", true],
    ["envoy.mesh", "DNS:*.mesh", false],
    ["envoy.mesh.internal", "DNS:*.mesh.internal", true],
    ["a.b.mesh.internal", "DNS:*.mesh.internal", false],
    ["envoy.mesh.internal", "DNS:en*.mesh.internal", false],
    ["envoy.mesh", "DNS:notenvoy.mesh", false],
    ["envoy.mesh", "DNS:envoy.mesh.evil", false],
    ["mesh", "DNS:envoy.mesh", false],
    ["envoy.mesh", "IP:127.0.0.1", false],
    ["127.0.0.1", "IP:127.0.0.1", true],
    ["127.0.0.1", "DNS:127.0.0.1", false],
    ["::1", "IP:0:0:0:0:0:0:0:1", true],
    ["envoy.mesh", "URI:spiffe://envoy.mesh", false],
    ["envoy.mesh", "email:envoy.mesh@envoy.mesh", false],
    // The subject of these certificates is `CN=envoy.mesh`.
    ["envoy.mesh", "", false],
    ["envoy.mesh", "DNS:other", false],
  ])("%s is that of a certificate for %j: %s", (name, alternatives, expected) => {
    const { cert } = certificateFor(directory, { name: "envoy.mesh", alternatives });
    expect(isClientName(name)).toBe(true);
    expect(isMadeOutTo(name, new X509Certificate(cert))).toBe(expected);
  });

  it("is none where there is no certificate", () => {
    expect(isMadeOutTo("envoy.mesh", undefined)).toBe(false);
  });
});

function serve(options: Partial<RlsOptions>): Promise<RlsServer> {
  // In one window: a minute that ends in the middle of a test would give all units back.
  const store = memoryStore({ clock: () => 0 });
  return serveShop({ service: createService({ rules: rulesOf(SHOP), store }), ...options });
}

function ask({ port }: Pick<RlsServer, "port">, authority: Buffer, own?: Certificates["client"]) {
  const { key = null, cert = null } = own ?? {};
  return call(openClient({ port }, grpc.credentials.createSsl(authority, key, cert)), ann);
}

describe("a server that asks for a name", () => {
  it("answers clients whose certificate has it, and no others of the same authority", async () => {
    const made = certificates();
    let refused = 0;
    const server = await serve({
      tls: { ...made.server, ca: made.authority },
      clientName: "envoy.mesh",
      onWrongClient: () => {
        refused++;
      },
    });
    const of = (alternatives: string) =>
      certificateFor(made.directory, { name: "envoy.mesh", alternatives });
    const right = await ask(server, made.authority, of("DNS:envoy.mesh"));
    expect(right.statuses).toMatchObject([{ limitRemaining: 4 }]);
    await expect(ask(server, made.authority, of("DNS:other.mesh"))).rejects.toThrow();
    await expect(ask(server, made.authority, of(""))).rejects.toThrow();
    expect(refused).toBeGreaterThanOrEqual(2);
    await expect(ask(server, made.authority)).rejects.toThrow();
    await expect(ask(server, made.authority, certificates().client)).rejects.toThrow();
    // None of those has counted.
    const next = await ask(server, made.authority, of("DNS:envoy.mesh"));
    expect(next.statuses).toMatchObject([{ limitRemaining: 3 }]);
  });

  it.each(["TLSv1.2", "TLSv1.3"] as const)(
    "knows whose a resumed session of %s is, and resumes none under another authority",
    async (maxVersion) => {
      const made = certificates();
      const { port, setTls } = await serve({
        tls: { ...made.server, ca: made.authority },
        clientName: "envoy.mesh",
      });
      const own = certificateFor(made.directory, { name: "c", alternatives: "DNS:envoy.mesh" });
      const connecting = { port, host: "127.0.0.1", ca: [made.authority], servername: "localhost" };
      const options = { ...connecting, ALPNProtocols: ["h2"], maxVersion, ...own };
      const first = connect(options);
      const [session] = await once(first, "session");
      expect(await isServed(first)).toBe(true);
      const second = connect({ ...options, session });
      expect(await isServed(second)).toBe(true);
      expect(second.isSessionReused()).toBe(true);
      // The new authority has never signed that client.
      setTls({ ...made.server, ca: certificates().authority });
      expect(await isServed(connect({ ...options, session }))).toBe(false);
    },
  );

  it("can't be told to ask for no certificates any more", async () => {
    const made = certificates();
    const strict = await serve({ tls: { ...made.server, ca: made.authority } });
    expect(() => strict.setTls(made.server)).toThrow(/can't change/);
    const lax = await serve({ tls: made.server });
    expect(() => lax.setTls({ ...made.server, ca: made.authority })).toThrow(/can't change/);
  });

  it.each(["", ".mesh", "*.mesh", "a b"])("can't be made for %j", (clientName) => {
    const service = createService({ rules: rulesOf(SHOP) });
    return expect(serveRls({ service, clientName })).rejects.toThrow(TypeError);
  });
});

function connect(options: ConnectionOptions): TLSSocket {
  const socket = connectTls(options);
  socket.on("error", () => {});
  atEnd(() => socket.destroy());
  return socket;
}

/** Whether the server begins to speak HTTP/2, and does not end the connection instead. */
function isServed(socket: TLSSocket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once("data", () => resolve(true));
    socket.once("close", () => resolve(false));
  });
}

describe("spillway serve", () => {
  const paths = (directory: string) => {
    const file = (name: string) => join(directory, name);
    return { cert: file("server.crt"), key: file("server.key"), ca: file("ca.crt") };
  };

  function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
    const file = join(temporaryDirectory(), "shop.yaml");
    writeFileSync(file, SHOP);
    const command = new Command(["serve", file, "--port", "0", ...args], env);
    atEnd(async () => {
      command.process.kill("SIGKILL");
      await command.ended();
    });
    return command;
  }

  it("asks for the name that GRPC_CLIENT_TLS_SAN has, and says whom it refuses", async () => {
    const made = certificates();
    const { cert, key, ca } = paths(made.directory);
    const command = run([], {
      GRPC_SERVER_USE_TLS: "true",
      GRPC_SERVER_TLS_CERT: cert,
      GRPC_SERVER_TLS_KEY: key,
      GRPC_CLIENT_TLS_CACERT: ca,
      GRPC_CLIENT_TLS_SAN: "envoy.mesh",
    });
    const [, port] = await command.says(/gRPC on 127\.0\.0\.1:(\d+) with TLS/);
    const at = { port: Number(port) };
    await expect(ask(at, made.authority, made.client)).rejects.toThrow();
    await command.complains(
      /gRPC clients were refused because their certificates are not for envoy\.mesh/,
    );
    const right = certificateFor(made.directory, { name: "c", alternatives: "DNS:envoy.mesh" });
    expect((await ask(at, made.authority, right)).overallCode).toBe("OK");
  });

  it.each([
    [{ GRPC_SERVER_USE_TLS: "true" }, "GRPC_SERVER_USE_TLS is true"],
    [{ GRPC_CLIENT_TLS_SAN: "envoy.mesh" }, "--tls-client-san is set without --tls-client-ca"],
  ])("does not begin with %j alone", async (env, complaint) => {
    const command = run([], env);
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toContain(`bad-tls ${complaint}`);
    expect(command.stdout).toBe("");
  });

  it("reads certificates again although a pipe stood in their place for a while", async () => {
    const made = certificates();
    const directory = temporaryDirectory();
    const use = (from: string, name: string) => {
      copyFileSync(join(from, `server.${name}`), join(directory, `new.${name}`));
      renameSync(join(directory, `new.${name}`), join(directory, name));
    };
    for (const name of ["crt", "key"]) use(made.directory, name);
    const command = run([
      "--tls-cert",
      join(directory, "crt"),
      "--tls-key",
      join(directory, "key"),
    ]);
    const [, port] = await command.says(/gRPC on 127\.0\.0\.1:(\d+) with TLS/);
    const second = certificates();
    rmSync(join(directory, "key"));
    execFileSync("mkfifo", [join(directory, "key")]);
    await command.complains(/the previous ones stay in use: .*expected a regular file/);
    for (const name of ["crt", "key"]) use(second.directory, name);
    await command.says(/certificates have changed/);
    await until(
      () =>
        ask({ port: Number(port) }, second.authority).then(
          () => true,
          () => false,
        ),
      { what: "the new ones are used" },
    );
  });
});
