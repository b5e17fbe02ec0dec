/** A program behind a real proxy that asks a real service, configured by `examples/proxies`. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, createServer as createListener } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../../../spillway/test/servers/until.ts";
import { atEnd } from "../support/at-end.ts";
import { serve, type TestServer } from "../support/service.ts";

/** A proxy, and how it is started with a configuration. */
export type ProxyProgram = {
  readonly command: string;
  /** Files of `examples/proxies`; the first is the configuration. */
  readonly files: readonly [string, ...string[]];
  readonly args: (config: string, directory: string) => readonly string[];
};

/** The ports of the configurations. */
const PORTS = { program: 3000, service: 8080, proxy: 8000, open: 8001 };

const EXAMPLES = new URL("../../../../examples/proxies/", import.meta.url);

/** Whether a program is there. */
export function isInstalled(command: string): boolean {
  return spawnSync(command, ["-v"]).error === undefined;
}

/** A response. */
export type ProxiedReply = {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
};

export type Proxied = {
  readonly service: TestServer;
  /** The requests that reached the program: their methods and targets. */
  readonly seen: readonly string[];
  readonly ask: (target: string, init?: AskInit) => Promise<ProxiedReply>;
};

type AskInit = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Starts a program, a service and a proxy, until the test ends. */
export async function proxied(program: ProxyProgram): Promise<Proxied> {
  const service = await serve(readFileSync(new URL("rules.yaml", EXAMPLES), "utf8"));
  const seen: string[] = [];
  const port = await startProxy(program, {
    program: await startProgram(seen),
    service: Number(new URL(service.url).port),
    proxy: await freePort(),
    open: await freePort(),
  });
  return { service, seen, ask: (target, init) => send(port, target, init) };
}

async function startProgram(seen: string[]): Promise<number> {
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume().on("end", () => response.end("from the program"));
  });
  atEnd(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createListener().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Starts a proxy by the files of the examples. Only ports and the times to wait are others. */
async function startProxy(
  { command, files, args }: ProxyProgram,
  ports: typeof PORTS,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "spillway-proxy-"));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  for (const file of files) {
    let text = readFileSync(fileURLToPath(new URL(file, EXAMPLES)), "utf8");
    for (const name of ["program", "service", "proxy", "open"] as const) {
      text = text.replaceAll(`127.0.0.1:${PORTS[name]}`, `127.0.0.1:${ports[name]}`);
    }
    // Here, a machine that stands still is not a service that is away.
    text = text.replace(/\b(?:250|500)ms|(?<=timeout = )250/g, (time) =>
      time.endsWith("s") ? "60s" : "60000",
    );
    writeFileSync(join(directory, file), text);
  }
  const options = { cwd: directory, env: { ...process.env, HOME: directory } };
  const proxy = spawn(command, args(join(directory, files[0]), directory), options);
  const ended = once(proxy, "close");
  atEnd(async () => {
    proxy.kill("SIGTERM");
    await ended;
  });
  let said = "";
  for (const stream of [proxy.stdout, proxy.stderr]) stream.on("data", (text) => (said += text));
  await until(() => isListening(ports.proxy, proxy.exitCode, () => said), { what: "it listens" });
  return ports.proxy;
}

async function isListening(
  port: number,
  exitCode: number | null,
  said: () => string,
): Promise<boolean> {
  if (exitCode !== null) throw new Error(`the proxy has ended: ${said()}`);
  const probe = await send(port, "/started").catch(() => undefined);
  return probe !== undefined;
}

function send(
  port: number,
  target: string,
  { method = "GET", headers = {}, body = "" }: AskInit = {},
): Promise<ProxiedReply> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: target, method, headers, agent: false };
    const sent = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, text }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
