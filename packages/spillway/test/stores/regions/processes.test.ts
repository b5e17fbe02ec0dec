/**
 * Processes in three regions, 80 ms from each other, of which each is cut off from the others in turn: over every
 * span, all together admit no more than the limit.
 */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Limit } from "../../../src/limits/core/index.ts";
import { runs } from "../../runs.ts";
import { type FaultyProxy, startProxy } from "../../servers/faulty-proxy.ts";
import { startRedis } from "../../servers/redis-node.ts";
import { beginTogether } from "../child.ts";
import { admittedBy, endAll, excess, LentAsker } from "../lent-askers.ts";
import type { RegionErrand } from "./errand.ts";

const NAMES = ["ap", "eu", "us"] as const;
/** Milliseconds from one region to another. */
const ONE_WAY = 40;
const LIMIT = {
  kind: "token bucket",
  rate: 400,
  period: 1000,
  capacity: 400,
} as const satisfies Limit;
const PROGRAM = new URL("./asker.ts", import.meta.url);
/** Milliseconds for which a region is cut off, and for which it is not. */
const CUT = runs(400);
const WHOLE = runs(300);

/** A way from one region to another. */
type Way = { readonly from: string; readonly to: string; readonly proxy: FaultyProxy };

/** Three servers, and ways between them. */
async function startRegions(stack: AsyncDisposableStack) {
  const servers = await Promise.all(NAMES.map(() => startRedis()));
  for (const server of servers) stack.use(server);
  const ways: Way[] = [];
  for (const from of NAMES) {
    for (const [at, to] of NAMES.entries()) {
      if (from === to) continue;
      const proxy = stack.use(await startProxy(servers[at]?.port as number));
      proxy.delay(ONE_WAY);
      ways.push({ from, to, proxy });
    }
  }
  const portsFrom = (from: string) =>
    Object.fromEntries(
      NAMES.map((to, at) => {
        const way = ways.find((one) => one.from === from && one.to === to);
        return [to, way?.proxy.port ?? (servers[at]?.port as number)];
      }),
    );
  return { ways, portsFrom };
}

async function cutOff(region: string, ways: readonly Way[], ms: number): Promise<void> {
  const lost = ways.filter(({ from, to }) => from === region || to === region);
  for (const { proxy } of lost) proxy.hang();
  await pause(ms);
  for (const { proxy } of lost) {
    proxy.heal();
    proxy.delay(ONE_WAY);
    // What has been silent stays so.
    proxy.cut();
  }
}

/** Instants of calls that were admitted, as a part of what refills in a span. */
function partOf(instants: readonly number[], from: number, to: number): number {
  const admitted = instants.filter((at) => at >= from && at < to).length;
  return admitted / (((to - from) * LIMIT.rate) / LIMIT.period);
}

/** Milliseconds from an instant until half a second begins in which 95 % of what refills is admitted. */
function backAfter(instants: readonly number[], since: number): number {
  for (let ms = 0; ; ms += 20) {
    if (ms >= WHOLE) return Number.NaN;
    if (partOf(instants, since + ms, since + ms + 500) >= 0.95) return ms;
  }
}

test("each region cut off in turn, with most of the traffic in one: no span is over", async () => {
  await using stack = new AsyncDisposableStack();
  const { ways, portsFrom } = await startRegions(stack);
  const askers = NAMES.map((here) => {
    const traffic = here === "eu" ? { callers: 64, pauseMs: 0 } : { callers: 2, pauseMs: 50 };
    const place = { here, ports: portsFrom(here), limit: LIMIT, hold: 2000 };
    return new LentAsker(PROGRAM, { ...place, ...traffic } satisfies RegionErrand);
  });
  await beginTogether(askers);
  const spans: { readonly region: string; readonly from: number; readonly to: number }[] = [];
  await pause(WHOLE);
  const began = Date.now() - WHOLE;
  for (const region of NAMES) {
    const from = Date.now();
    await cutOff(region, ways, CUT);
    spans.push({ region, from, to: Date.now() });
    await pause(WHOLE);
  }
  await endAll(askers);
  const admitted = admittedBy(askers);
  expect(excess(admitted, LIMIT)).toBeLessThanOrEqual(0);
  if (!process.env.SPILLWAY_SHOW) return;
  const instants = admitted.map(([, ended]) => ended);
  const percent = (from: number, to: number) => `${Math.round(100 * partOf(instants, from, to))} %`;
  console.log(`whole: ${percent(began + WHOLE / 2, began + WHOLE)}`);
  for (const { region, from, to } of spans)
    console.log(
      `${region} cut off: ${percent(from, to)}, back after ${backAfter(instants, to)} ms`,
    );
});
