/** `spillway serve --workers N`: real processes behind one port. */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import { BackOff } from "../../../src/process/workers/back-off.ts";
import { merged } from "../../../src/telemetry/index.ts";
import { Command } from "../../support/command.ts";
import { keepAsking, requestOf } from "../../support/keep-asking.ts";
import { descriptor } from "../../support/service.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { call, clientOf } from "../../transports/envoy/grpc-transport.ts";

// Processes are slow to start on a busy machine.

const limitOf = (requests: number) => `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: year, requests_per_unit: ${requests} }
`;
const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };

/** Two workers; a busy machine is no outage of their store. */
function serve(rules: string, store: string): Promise<ServiceProcess> {
  const args = ["--workers", "2", "--store", store, "--deadline", "30000"];
  return startService({ rules, args });
}

async function pidsOf(service: ServiceProcess): Promise<readonly number[]> {
  await service.says(/workers serve, as processes/);
  const [, pids = ""] = /as processes ([\d, ]+)/.exec(service.said) ?? [];
  return pids.split(", ").map(Number);
}

function grpcPortOf({ said }: ServiceProcess): number {
  return Number(/gRPC on 127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
}

/** What clients were given: what was left after each unit, and how many calls had no answer. */
type Given = { readonly left: number[]; unanswered: number };

/** Asks until it is refused; undefined stands for a call without an answer. */
async function askOn(given: Given, ask: () => Promise<number | "refused">): Promise<void> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer === "refused") return;
    if (answer === undefined) given.unanswered++;
    else given.left.push(answer);
  }
}

async function overHttp(service: ServiceProcess): Promise<number | "refused"> {
  const { status, body } = await service.post("/v1/limit", ann);
  if (status === 429) return "refused";
  expect(status).toBe(200);
  return Number(body.remaining);
}

async function overGrpc(client: ReturnType<typeof clientOf>): Promise<number | "refused"> {
  const { overallCode, statuses } = await call(client, ann);
  return overallCode === "OK" ? Number(statuses?.[0]?.limitRemaining ?? 0) : "refused";
}

describe("several workers", () => {
  it("share each unit with another instance, whoever of them is killed meanwhile", async () => {
    const capacity = 600;
    await using redis = await startRedis();
    await using one = await serve(limitOf(capacity), redis.url);
    await using other = await serve(limitOf(capacity), redis.url);
    const [victim = 0] = await pidsOf(one);
    const given: Given = { left: [], unanswered: 0 };
    const clients = [one, other].flatMap((service) =>
      // Own connections each, which the workers get in turn.
      [1, 2].map((_, own) => clientOf({ port: grpcPortOf(service) }, undefined, { own })),
    );
    const asking = [
      ...[one, other, one, other].map((service) => askOn(given, () => overHttp(service))),
      ...clients.map((client) => askOn(given, () => overGrpc(client))),
    ];
    await until(async () => given.left.length > 100, { what: "some were admitted" });
    process.kill(victim, "SIGKILL");
    await Promise.all(asking);
    for (const client of clients) client.close();
    expect(new Set(given.left).size).toBe(given.left.length);
    // A unit that nobody was given belongs to a call that the killed worker did not answer.
    expect(capacity - given.left.length).toBeGreaterThanOrEqual(0);
    expect(capacity - given.left.length).toBeLessThanOrEqual(given.unanswered);
    await one.says(/worker 1 serves again/);
    expect(await Promise.all([one.stop(), other.stop()])).toEqual([0, 0]);
  });

  it("give back what they are lent before any of them decides by other rules", async () => {
    await using redis = await startRedis();
    const lentOf = (requests: number) => limitOf(requests).replace(" }", ", share: 1h }");
    await using service = await serve(lentOf(1000), redis.url);
    // Each has a connection of its own, and so one worker and the other.
    const ask = () => Promise.all([1, 2, 3, 4].map(() => overHttp(service)));
    for (let n = 0; n < 20; n++) expect(await ask()).not.toContain("refused");
    // Whichever is asked, the other one holds some of what nobody has used.
    const unused = { ...ann, count: 1000 - 80 };
    expect((await service.post("/v1/check", unused)).status).toBe(429);
    const headers = { "content-type": "application/yaml" };
    const change = { method: "POST", headers, body: lentOf(1001) };
    expect((await fetch(`${service.url}/v1/rules`, change)).status).toBe(200);
    const { body } = await service.post("/v1/check", ann);
    expect([body.capacity, body.remaining]).toEqual([1001, 1001 - 80 - 1]);
  });

  // Only where runs are long: with all other tests beside it, it was once not over in two minutes, and the cause is open.
  it("all decide by the same rules, also one that starts while the files are wrong", async () => {
    const directory = temporaryDirectory();
    const file = join(directory, "more.yaml");
    const more = (requests: number) => limitOf(requests).replace("shop", "more");
    writeFileSync(file, more(5));
    await using service = await startService({
      rules: limitOf(1_000_000_000),
      args: [file, "--workers", "2", "--store", `sqlite:${join(directory, "limits.db")}`],
    });
    const asking = keepAsking({
      port: service.port,
      clients: 1,
      request: requestOf("/v1/limit", ann),
      // All the time that processes start, but not all of the machine.
      pause: 5,
    });
    const capacityOf = async () => {
      const answer = await service.post("/v1/check", { ...ann, domain: "more" });
      return answer.body.capacity;
    };
    // Each has a connection of its own, and so one worker and the other.
    const capacities = () => Promise.all([1, 2, 3, 4].map(capacityOf));
    writeFileSync(file, more(9));
    await service.says(/~ more\/user +fixed window, 9 per year/);
    expect(await capacities()).toEqual([9, 9, 9, 9]);
    writeFileSync(file, more(7).replace("key", "kye"));
    await service.warns(/unknown-field/);
    const [first = 0] = await pidsOf(service);
    process.kill(first, "SIGTERM");
    await service.says(/worker 1 serves again/);
    expect(await capacities()).toEqual([9, 9, 9, 9]);
    const healths = await Promise.all([1, 2, 3, 4].map(() => service.health()));
    expect(new Set(healths)).toEqual(
      new Set(["200 OK, old rules: the files have changed and are invalid"]),
    );
    writeFileSync(file, more(3));
    service.signal("SIGHUP");
    await service.says(/~ more\/user +fixed window, 3 per year/);
    expect(await capacities()).toEqual([3, 3, 3, 3]);
    expect(await service.stop()).toBe(0);
    const { statuses, unanswered, errors } = await asking;
    expect([unanswered, errors, [...statuses.keys()]]).toEqual([0, [], [200]]);
  });

  it("say their numbers together, whichever of them is asked", async () => {
    await using service = await serve(
      limitOf(1000),
      `sqlite:${join(temporaryDirectory(), "l.db")}`,
    );
    // A connection each, which the workers get in turn.
    await Promise.all(Array.from({ length: 40 }, () => service.post("/v1/limit", ann)));
    const page = async () => (await fetch(`${service.url}/metrics`)).text();
    const admitted = /^spillway_decisions_total\{worker="(\d)",.*outcome="admitted"\} (\d+)$/gm;
    for (const text of await Promise.all([page(), page(), page(), page()])) {
      const found = [...text.matchAll(admitted)];
      expect(found.map(([, worker]) => worker).sort()).toEqual(["1", "2"]);
      expect(found.reduce((sum, [, , value]) => sum + Number(value), 0)).toBe(40);
      // A family is there once, and is all of one piece.
      const heads = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
      expect(new Set(heads).size).toBe(heads.length);
    }
  });

  it("need a store that they share", async () => {
    const rules = join(temporaryDirectory(), "rules.yaml");
    writeFileSync(rules, limitOf(5));
    const command = new Command(["serve", rules, "--workers", "2", "--port", "0"]);
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toMatch(/^no-shared-store 2 workers would each keep .* --store redis/);
  });

  it("need as many connections as they are", async () => {
    const directory = temporaryDirectory();
    const rules = join(directory, "rules.yaml");
    writeFileSync(rules, limitOf(5));
    const store = ["--store", `sqlite:${join(directory, "limits.db")}`];
    const args = ["--workers", "2", "--max-connections", "1", "--port", "0"];
    const command = new Command(["serve", rules, ...args, ...store]);
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toMatch(/^too-few-connections --max-connections 1 is for all 2 workers/);
  });

  it("leave no connection open that one of them was to have when it was killed", async () => {
    const store = `sqlite:${join(temporaryDirectory(), "limits.db")}`;
    await using service = await serve(limitOf(5), store);
    const [first] = await pidsOf(service);
    process.kill(first as number, "SIGSTOP");
    let answered = 0;
    const ends = Array.from({ length: 4 }, () => {
      const socket = connect(service.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      socket.once("data", () => answered++);
      return new Promise<void>((resolve) => socket.on("close", () => resolve()));
    });
    // The one that is halted is handed one of the first two, and none after it.
    await until(async () => answered === 3, { what: "the other has answered the rest" });
    process.kill(first as number, "SIGKILL");
    await Promise.all(ends);
    expect(answered).toBe(3);
  });

  it("have no more connections together than is said", async () => {
    const store = `sqlite:${join(temporaryDirectory(), "limits.db")}`;
    const args = ["--workers", "2", "--max-connections", "5", "--store", store];
    await using service = await startService({ rules: limitOf(5), args });
    const asked = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const sockets = Array.from({ length: 8 }, () => connect(service.port, "127.0.0.1"));
    const answered = sockets.map((socket) => {
      socket.on("error", () => {});
      socket.write(asked);
      return new Promise<boolean>((resolve) => {
        socket.on("data", () => resolve(true));
        socket.on("close", () => resolve(false));
      });
    });
    const kept = (await Promise.all(answered)).filter(Boolean);
    for (const socket of sockets) socket.destroy();
    expect(kept).toHaveLength(4);
  });

  it("end at once where they can't begin, with one error for all", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await until(async () => taken.listening, { what: "it listens" });
    const directory = temporaryDirectory();
    const rules = join(directory, "rules.yaml");
    writeFileSync(rules, limitOf(5));
    const { port } = taken.address() as AddressInfo;
    const store = `sqlite:${join(directory, "limits.db")}`;
    const args = ["serve", rules, "--workers", "2", "--port", String(port), "--store", store];
    const command = new Command(args, { GRPC_PORT: "0" });
    expect(await command.ended()).toBe(1);
    taken.close();
    expect(command.stderr).toMatch(/^port-in-use another program listens on [^\n]*\n$/);
    expect(command.stdout).toBe("");
  });
});

describe("the numbers of several workers", () => {
  it("are told apart by a label, whatever labels and values there are", async () => {
    const text = (value: number) =>
      `# HELP a of a\n# TYPE a counter\na ${value}\na{x="{ }"} 1\n# HELP b of b\n# TYPE b gauge\nb{y="z"} -1\n`;
    const pages = [1, 2].map((worker) => ({ worker, text: text(worker) }));
    let whole = "";
    for await (const part of merged(pages)) whole += part;
    expect(whole).toBe(
      '# HELP a of a\n# TYPE a counter\na{worker="1"} 1\na{worker="1",x="{ }"} 1\n' +
        'a{worker="2"} 2\na{worker="2",x="{ }"} 1\n' +
        '# HELP b of b\n# TYPE b gauge\nb{worker="1",y="z"} -1\nb{worker="2",y="z"} -1\n',
    );
  });
});

describe("BackOff", () => {
  it("waits longer from end to end, and begins anew after a minute of service", () => {
    const backOff = new BackOff();
    const pauses = Array.from({ length: 9 }, () => backOff.next(59_999));
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
    expect(backOff.failures).toBe(9);
    expect([backOff.next(60_000), backOff.failures]).toEqual([100, 1]);
  });
});
