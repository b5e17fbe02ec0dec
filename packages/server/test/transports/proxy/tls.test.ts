/** TLS in front of the proxy, and to its upstream. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request as sendPlain } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { describe, expect, it } from "vitest";
import { Command } from "../../support/command.ts";
import { getText } from "../../support/raw.ts";
import { startService } from "../../support/service-process.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { certificates } from "../envoy/certificates.ts";
import { RULES } from "./scene.ts";

/** An upstream with a certificate: it echoes what it hears about the client. */
const SECURE = `
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
const [cert, key] = process.argv.slice(2).map((path) => readFileSync(path));
const server = createServer({ cert, key }, (request, response) => {
  response.end(request.headers["x-forwarded-proto"] + " " + request.headers.forwarded);
});
server.on("upgrade", (_, socket) => {
  socket.write("HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n");
  socket.pipe(socket);
});
server.listen(0, "127.0.0.1", () => console.log("port " + server.address().port));
`;

describe("TLS", () => {
  it("in front and to the upstream carries requests and WebSockets", async () => {
    await using scene = await encrypted({ isTrusted: true });
    const response = await scene.ask();
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(response).toMatch(/https for=127\.0\.0\.1;host="localhost";proto=https$/);
    const socket = connectTls(scene.connection);
    await once(socket, "secureConnect");
    socket.write(getText("/live", { Connection: "Upgrade", Upgrade: "websocket" }));
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 101 /);
    socket.write("hello");
    expect(String((await once(socket, "data"))[0])).toBe("hello");
    socket.destroy();
  });

  it("to an upstream whose certificate nobody has signed is refused, and the log says why", async () => {
    await using scene = await encrypted({ isTrusted: false });
    expect(await scene.ask()).toMatch(/^HTTP\/1\.1 502 /);
    const socket = connectTls(scene.connection);
    socket.write(getText("/live", { Connection: "Upgrade", Upgrade: "websocket" }));
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 502 /);
    socket.destroy();
    expect(scene.proxy.warnings.join("\n")).toMatch(/^no response from https:.*certificate/);
  });

  it.each([
    { args: [], env: {}, chosen: "h2" },
    { args: ["--no-http2"], env: { SPILLWAY_HTTP2: "true" }, chosen: "http/1.1" },
    { args: [], env: { SPILLWAY_HTTP2: "false" }, chosen: "http/1.1" },
  ])("in front speaks $chosen with $args and $env", async ({ args, env, chosen }) => {
    await using scene = await encrypted({ isTrusted: true, args, env });
    const ALPNProtocols = ["h2", "http/1.1"];
    const socket = connectTls({ ...scene.connection, ALPNProtocols });
    await once(socket, "secureConnect");
    expect(socket.alpnProtocol).toBe(chosen);
    socket.destroy();
  });

  it("in front is refused to clients without it", async () => {
    await using scene = await encrypted({ isTrusted: true });
    const plain = sendPlain({ host: "127.0.0.1", port: scene.connection.port }).end();
    const [error] = await once(plain, "error");
    expect(error).toBeInstanceOf(Error);
  });
});

type Encrypted = {
  readonly isTrusted: boolean;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts an upstream and a proxy in processes, as authorities are settings of a process. */
async function encrypted({ isTrusted, args = [], env = {} }: Encrypted) {
  const { authority, directory } = certificates();
  const file = (name: string) => join(directory, name);
  const files = [file("server.crt"), file("server.key")] as const;
  const script = join(temporaryDirectory(), "secure.mjs");
  writeFileSync(script, SECURE);
  await using starting = new AsyncDisposableStack();
  const upstream = new Command(files, {}, script);
  starting.defer(() => void upstream.process.kill("SIGKILL"));
  const [, to] = await upstream.says(/port (\d+)/);
  const proxy = starting.use(
    await startService({
      command: "proxy",
      rules: RULES,
      args: ["--to", `https://localhost:${to}`, "--cert", files[0], "--key", files[1], ...args],
      env: isTrusted ? { ...env, NODE_EXTRA_CA_CERTS: file("ca.crt") } : env,
    }),
  );
  const connection = {
    port: proxy.port,
    host: "127.0.0.1",
    servername: "localhost",
    ca: authority,
  };
  const owned = starting.move();
  return {
    proxy,
    connection,
    ask: async () => {
      const socket = connectTls(connection);
      socket.write(getText("/a", { Connection: "close" }));
      return text(socket);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
