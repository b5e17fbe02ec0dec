/** Starts everything that `spillway proxy` listens on: the proxy, metrics, and administration. */
import type { AddressInfo } from "node:net";
import { printable } from "spillway/support";
import { RequestError } from "../../service/index.ts";
import { openOn, type ServiceLogger, ThrottledLog } from "../../telemetry/index.ts";
import { sectionOf } from "../../transports/asking/index.ts";
import { accessOf } from "../../transports/http-api/index.ts";
import type { ReverseProxy, UpstreamFailure } from "../../transports/proxy/index.ts";
import { CommandError } from "../command-error.ts";
import { listenAt } from "../listen-at.ts";
import { metricsPlace, type ProxyServeOptions } from "../options/index.ts";
import { proxyShedding } from "./proxy-shedding.ts";
import { type ServeContext, urlOf } from "./serve-http.ts";
import { serveMetrics } from "./serve-metrics.ts";
import {
  adminOf,
  beginBeside,
  intakeOf,
  metricsOptions,
  type Transports,
} from "./serve-transports.ts";
import { readTls } from "./tls-files.ts";

type ProxyContext = ServeContext & ProxyServeOptions;

/** Starts all of it, or nothing. @throws CommandError if it can't */
export async function serveProxy(options: ProxyContext): Promise<Transports> {
  const { running, host, to } = options;
  checkSection(options);
  const { intake, stopping } = intakeOf(options);
  const proxy = await openProxy({ ...options, ...intake });
  const http = { close: () => proxy.close() };
  const metrics = await beginBeside([http], () =>
    serveMetrics(metricsPlace(options), metricsOptions(options, intake)),
  );
  const admin = await beginBeside([http, metrics], () => adminOf(options));
  running.metrics.requests.count("proxy", openOn(proxy.server));
  const { port } = proxy.server.address() as AddressInfo;
  const scheme = options.cert === undefined ? "http" : "https";
  return {
    url: urlOf({ scheme, host, port }),
    guard: accessOf(proxy.server.address(), { adminToken: undefined }),
    places: [
      `Forwarding to ${to.join(", ")}`,
      shedLine(options),
      metrics.where,
      ...admin.lines,
    ].filter((line) => line !== undefined),
    stopping,
    close: async () => {
      await proxy.close();
      await Promise.all([metrics.close(), admin.close()]);
    },
  };
}

/** Says that load is shed; undefined if it is not. */
function shedLine({ shed, shadow = false }: ProxyServeOptions): string | undefined {
  if (shed === "off") return undefined;
  const isShadow = shadow || shed === "shadow";
  return `Shedding by priority${isShadow ? ", in shadow: nothing is refused" : ""}`;
}

type OpenContext = ProxyContext & Pick<ReturnType<typeof intakeOf>["intake"], "onDefence">;

/** The proxy's own modules are loaded only here: other commands don't need them. */
async function openProxy(options: OpenContext): Promise<ReverseProxy> {
  const { service, running, role, to, domain, trust, maxConnections, onDefence } = options;
  const { cert: tlsCert, key: tlsKey, http2, host, port } = options;
  const tls = await readTls({ tlsCert, tlsKey, tlsClientCa: undefined });
  const { ReverseProxy } = await import("../../transports/proxy/index.ts");
  const { warn } = role.log;
  const proxy = new ReverseProxy({
    service,
    to,
    domain,
    trust,
    tls,
    http2,
    times: timesOf(options),
    connections: options.upstreamConnections,
    shedding: await proxyShedding({ ...options, metrics: running.metrics, log: role.log }),
    bounds: { maxConnections },
    onDefence,
    onAnswered: (answered) => running.metrics.answered("proxy", answered),
    onFailed: failureLog(role.log),
    warn,
  });
  await listenAt(
    { host, port, option: "--port", variable: "PORT" },
    { listen: () => listening(proxy, { host, port }), close: () => proxy.close() },
  );
  return proxy;
}

function timesOf({ connectTimeout, headersTimeout, idleTimeout }: ProxyServeOptions) {
  return { connect: connectTimeout, headers: headersTimeout, idle: idleTimeout };
}

async function listening(
  { server }: ReverseProxy,
  at: { host: string; port: number },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(at, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Logs the first failure of each upstream at once, then at most one a minute. */
function failureLog({ warn }: ServiceLogger): (failure: UpstreamFailure) => void {
  const throttled = new ThrottledLog({ warn });
  return ({ origin, message }) => {
    const text = `no response from ${origin}: ${printable(message)}; clients get 502 or 504`;
    throttled.say({ sort: origin, message: text });
  };
}

/** Without a section, every request would pass. */
function checkSection({ service, domain }: ProxyContext): void {
  try {
    sectionOf(service, domain);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const hint =
      "add one, or name its domain by --domain; see docs/service/proxies.md#the-http-section";
    throw new CommandError("no-http-section", `${error.message}; ${hint}`);
  }
}
