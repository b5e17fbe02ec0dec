/** The proxy as a process: beside others, without its store or its upstream, and when it stops. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import { Command } from "../../support/command.ts";
import { type Count, keepAsking } from "../../support/keep-asking.ts";
import { getText } from "../../support/raw.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";

// Processes are slow to start on a busy machine. No window ends while the tests run, but for those of New Year's Eve.

const RULES = `
domain: shop
http:
  - match: { path: /few }
    actions: [{ generic_key: { descriptor_value: few } }]
  - match: { prefix: /many }
    actions: [{ generic_key: { descriptor_value: many } }]
descriptors:
  - { key: generic_key, value: few, rate_limit: { unit: year, requests_per_unit: 100 } }
  - { key: generic_key, value: many, rate_limit: { unit: year, requests_per_unit: 1000000000 } }
`;

/** A program that answers. */
class UpstreamProcess implements AsyncDisposable {
  #command: Command | undefined;
  port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it: after the first time, at the same port. */
  async start(): Promise<void> {
    const script = fileURLToPath(new URL("upstream-program.mjs", import.meta.url));
    const command = new Command([String(this.port)], {}, script);
    this.#command = command;
    this.port = Number((await command.says(/listening on (\d+)/))[1]);
  }

  async kill(): Promise<void> {
    this.#command?.process.kill("SIGKILL");
    await this.#command?.ended();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

async function startUpstream(): Promise<UpstreamProcess> {
  const upstream = new UpstreamProcess();
  await upstream.start();
  return upstream;
}

type Start = { readonly to: UpstreamProcess; readonly store?: string; readonly args?: string[] };

function startProxy({ to, store, args = [] }: Start): Promise<ServiceProcess> {
  const stored = store === undefined ? {} : { store };
  const all = ["--to", to.url, "--deadline", "2000", ...args];
  return startService({ command: "proxy", rules: RULES, ...stored, args: all });
}

/** Keeps connections busy until the proxy is stopped. */
function load({ port }: ServiceProcess, path = "/many"): Promise<Count> {
  return keepAsking({ port, clients: 32, request: getText(path) });
}

async function statusOf({ url }: ServiceProcess, method = "GET"): Promise<number> {
  const response = await fetch(`${url}/many`, { method });
  await response.arrayBuffer();
  return response.status;
}

/** Stops a proxy under load: every request has been answered, and no connection was reset. */
async function stopped(proxy: ServiceProcess, asking: Promise<Count>): Promise<Count> {
  expect(await proxy.stop()).toBe(0);
  const count = await asking;
  const { unanswered, errors, closed } = count;
  expect({ unanswered, errors, closed }).toEqual({ unanswered: 0, errors: [], closed: 32 });
  return count;
}

function isStatus(proxy: ServiceProcess, status: number): Promise<void> {
  return until(async () => (await statusOf(proxy)) === status, { what: `it answers ${status}` });
}

describe.concurrent("a proxy", () => {
  it("shares limits with another one on the same Redis, to the unit", async () => {
    await using redis = await startRedis();
    await using to = await startUpstream();
    await using first = await startProxy({ to, store: redis.url });
    await using second = await startProxy({ to, store: redis.url });
    const statuses: number[] = [];
    const ask = async ({ url }: ServiceProcess) => {
      for (let times = 0; times < 20; times++) statuses.push((await fetch(`${url}/few`)).status);
    };
    const clients = [first, second].flatMap((one) => Array.from({ length: 5 }, () => ask(one)));
    await Promise.all(clients);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100);
    // The upstream numbers what it answers: it has seen what was admitted, and nothing else.
    expect(await (await fetch(to.url)).json()).toEqual({ remaining: 100 });
  });

  it.each([
    { mode: "closed", away: 503 },
    { mode: "open", away: 200 },
    { mode: "local", away: 200 },
  ])("answers every request while its Redis is killed: by $mode", async ({ mode, away }) => {
    await using redis = await startRedis();
    const args = ["--when-unavailable", mode];
    await using to = await startUpstream();
    await using proxy = await startProxy({ to, store: redis.url, args });
    const asking = load(proxy);
    await isStatus(proxy, 200);
    await redis.kill();
    await proxy.warns(/failed 5 times in a row/);
    await isStatus(proxy, away);
    await redis.restart();
    await proxy.warns(/answers again/);
    await isStatus(proxy, 200);
    const { statuses } = await stopped(proxy, asking);
    expect([...statuses.keys()].sort()).toEqual([...new Set([200, away])]);
  });

  it("answers every request while its upstream is killed", async () => {
    await using to = await startUpstream();
    await using proxy = await startProxy({ to });
    const asking = load(proxy);
    await isStatus(proxy, 200);
    await to.kill();
    await isStatus(proxy, 502);
    await to.start();
    await isStatus(proxy, 200);
    const { statuses } = await stopped(proxy, asking);
    expect([...statuses.keys()].sort()).toEqual([200, 502]);
    expect(proxy.warnings.filter((line) => line.startsWith("no response from "))).toHaveLength(1);
  });

  it("answers every request by the other upstream while one is killed", async () => {
    await using to = await startUpstream();
    await using other = await startUpstream();
    await using proxy = await startProxy({ to, args: ["--to", other.url] });
    await isStatus(proxy, 200);
    await to.kill();
    for (let times = 0; times < 200; times++) expect(await statusOf(proxy)).toBe(200);
    expect(await proxy.stop()).toBe(0);
  });

  it.each([1, 2])("stops without a reset while it is busy (round %i)", async () => {
    await using to = await startUpstream();
    await using proxy = await startProxy({ to });
    const asking = load(proxy);
    await isStatus(proxy, 200);
    const { statuses } = await stopped(proxy, asking);
    expect([...statuses.keys()]).toEqual([200]);
  });
});
