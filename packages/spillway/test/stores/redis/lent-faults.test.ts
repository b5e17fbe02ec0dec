/** Processes that hold units keep law 1 to the unit while messages are late and repeated, and another server takes over. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { runs } from "../../runs.ts";
import { command, commands, textFrom } from "../../servers/command.ts";
import { type FaultyProxy, startProxy } from "../../servers/faulty-proxy.ts";
import { LOOPBACK } from "../../servers/ports.ts";
import { type RedisNode, startRedis } from "../../servers/redis-node.ts";
import { type SentinelGroup, startSentinel } from "../../servers/sentinel.ts";
import { until } from "../../servers/until.ts";
import { beginTogether } from "../child.ts";
import { admitMore, admittedBy, endAll, excess, LentAsker, LIMIT } from "../lent-askers.ts";
import type { Client } from "./faults/clients/connections.ts";
import type { LentErrand } from "./lent-errand.ts";

/** Units that the limit gives in a second. */
const UNITS = runs(400);
/** Connections are cut once so many units were admitted. */
const CUTS = 80;
const PROGRAM = new URL("./lent-asker.ts", import.meta.url);

type Askers = readonly LentAsker[];

/** By way of a proxy. */
const through = ({ port }: FaultyProxy): Client => ({
  make: "ioredis",
  target: { sort: "server", port },
});

const begin = (errands: readonly LentErrand[]): Promise<Askers> =>
  beginTogether(errands.map((errand) => new LentAsker(PROGRAM, errand)));

/** Four processes ask by way of a proxy. */
const askers = (proxy: FaultyProxy): Promise<Askers> =>
  begin([0, 1, 2, 3].map(() => ({ client: through(proxy), limit: LIMIT })));

/** For each client a process that asks of the limit with shares, and one of another key without. */
async function askBoth(clients: readonly Client[], { share }: { readonly share: number }) {
  const { share: _, ...unlent } = LIMIT;
  const all = await begin([
    ...clients.map((client) => ({ client, limit: { ...LIMIT, share }, key: "lent" })),
    ...clients.map((client) => ({ client, limit: unlent, key: "unlent" })),
  ]);
  return { all, lent: all.slice(0, clients.length), unlent: all.slice(clients.length) };
}

/** Waits until so many units were admitted to each. */
async function haveAdmitted(all: Askers, units: number): Promise<void> {
  await Promise.all(all.map((asker) => asker.until(() => asker.admitted.length >= units)));
}

async function numberOf({ port }: RedisNode, field: string): Promise<number> {
  const text = await textFrom(port, "INFO", "replication");
  return Number(text.match(new RegExp(`${field}:(\\d+)`))?.[1] ?? Number.NaN);
}

/** A server, one that follows it, and a way to the former. */
async function startPair(stack: AsyncDisposableStack) {
  const primary = stack.use(await startRedis({ args: ["--repl-diskless-sync-delay", "0"] }));
  const args = ["--replicaof", LOOPBACK, `${primary.port}`];
  const replica = stack.use(await startRedis({ args }));
  const proxy = stack.use(await startProxy(primary.port));
  const follows = async () =>
    (await textFrom(replica.port, "INFO", "replication")).includes("master_link_status:up");
  await until(follows, { what: "the replica follows" });
  /** The replica takes over, of whatever it has. */
  const failOver = async () => {
    await command(replica.port, "REPLICAOF", "NO", "ONE");
    proxy.redirect(replica.port);
    await primary.kill();
  };
  return { primary, replica, proxy, failOver };
}

test.concurrent("with shares and without: messages that are late and lost, and script calls that arrive twice, admit no more", async () => {
  await using server = await startRedis();
  await using proxy = await startProxy(server.port);
  proxy.repeat({ every: 3 });
  const clients = [through(proxy), through(proxy)];
  const { all, lent, unlent } = await askBoth(clients, { share: 2000 });
  let isOver = false;
  const over = Promise.all([admitMore(lent, UNITS), admitMore(unlent, UNITS)]).finally(() => {
    isOver = true;
  });
  let cuts = 0;
  for (let turn = 0; !isOver; turn++) {
    proxy.delay((17 * turn) % 50);
    // Not before life went on since the last time, however slow the machine is.
    if (admittedBy(unlent).length > CUTS * cuts) {
      proxy.cut();
      cuts++;
    }
    await Promise.race([over, pause(50)]);
  }
  await endAll(all);
  expect(proxy.repeated).toBeGreaterThan(0);
  for (const some of [lent, unlent]) {
    expect(excess(admittedBy(some), LIMIT)).toBeLessThanOrEqual(0);
  }
});

test.concurrent("a replica that has all takes over: nobody is over, whatever is held", async () => {
  await using stack = new AsyncDisposableStack();
  const { primary, replica, proxy, failOver } = await startPair(stack);
  const all = await askers(proxy);
  await haveAdmitted(all, 20);
  await command(primary.port, "CLIENT", "PAUSE", 60_000, "WRITE");
  const hasAll = async () =>
    (await numberOf(primary, "master_repl_offset")) ===
    (await numberOf(replica, "slave_repl_offset"));
  await until(hasAll, { what: "the replica has all" });
  await failOver();
  await admitMore(all, UNITS);
  await endAll(all);
  expect(excess(admittedBy(all), LIMIT)).toBeLessThanOrEqual(0);
});

test.concurrent("a replica that lacks something takes over: over by no more than that and what was lent", async () => {
  await using stack = new AsyncDisposableStack();
  const { primary, replica, proxy, failOver } = await startPair(stack);
  const all = await askers(proxy);
  await haveAdmitted(all, 20);
  await command(replica.port, "REPLICAOF", "NO", "ONE");
  const before = admittedBy(all).length;
  await haveAdmitted(all, 60);
  expect(primary.running).toBe(true);
  await failOver();
  const lacking = admittedBy(all).length - before;
  await admitMore(all, UNITS);
  await endAll(all);
  const most = lacking + LIMIT.capacity / 2;
  expect(excess(admittedBy(all), LIMIT)).toBeLessThanOrEqual(most);
});

/** Kills the primary, and waits until its replica serves; the calls that may be lost to it are those that touch this span. */
async function failOver(group: SentinelGroup) {
  const primary = await group.master();
  const from = Date.now();
  // What was written before is in the replica.
  const replicated = ["WAIT", 1, 0];
  await commands(primary.port, [["SET", "mark", 1], replicated]);
  const takingOver = group.failover();
  await until(() => !primary.running, { what: "the primary is dead" });
  const to = Date.now();
  await takingOver;
  return { from, to };
}

test.concurrent("Sentinel: the primary is killed: over by no more than was not replicated, and all go on by themselves", async () => {
  await using group = await startSentinel();
  const target = { sort: "sentinel", ports: group.ports, name: group.name } as const;
  const clients: Client[] = [
    { make: "ioredis", target },
    { make: "node-redis", target },
  ];
  const { all, lent, unlent } = await askBoth(clients, LIMIT);
  await haveAdmitted(all, 20);
  const { from, to } = await failOver(group);
  const after = Date.now();
  const goesOn = (asker: LentAsker) => (asker.admitted.at(-1)?.[0] ?? 0) > after;
  await Promise.all(all.map((asker) => asker.until(() => goesOn(asker))));
  await Promise.all([admitMore(lent, UNITS), admitMore(unlent, UNITS)]);
  await endAll(all);
  const overBy = (some: Askers) => {
    const calls = admittedBy(some);
    const lacking = calls.filter(([began, ended]) => ended >= from && began <= to).length;
    return excess(calls, LIMIT) - lacking;
  };
  expect(overBy(unlent)).toBeLessThanOrEqual(0);
  expect(overBy(lent)).toBeLessThanOrEqual(LIMIT.capacity / 2);
});
