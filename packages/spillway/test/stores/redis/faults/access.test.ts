import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../../src/limiter/index.ts";
import { command } from "../../../servers/command.ts";
import { startRedis } from "../../../servers/redis-node.ts";
import { BUCKET, degradedIn, KEY, LIMITS, LOG, PATIENT } from "../../faults/fault.ts";
import { runFault } from "../../faults/fault-run.ts";
import { expectHeld } from "../../faults/verdict.ts";
import { ACCESS_FAULTS, READ_ONLY } from "./access-faults.ts";
import { openClient } from "./clients/connections.ts";
import { directly, REDIS } from "./fault.ts";
import { FOREIGN_KEYS } from "./foreign-keys.ts";

describe.concurrent("what a server does not let clients do", () => {
  test.for(ACCESS_FAULTS)("$name", async (fault) => expectHeld(await runFault(fault, REDIS)));

  test(`${READ_ONLY.name}: those who only look are answered as ever`, async () => {
    const outcome = await runFault(READ_ONLY, REDIS);
    expectHeld(outcome);
    const [taking, alike, looking] = outcome.phases("during");
    for (const phase of [taking, alike]) expect(phase && degradedIn(phase)).toBeGreaterThan(0);
    expect(looking && degradedIn(looking)).toBe(0);
  });

  test(`${FOREIGN_KEYS.name}: nobody else is concerned, and it stays as it is`, async () => {
    const outcome = await runFault(FOREIGN_KEYS, REDIS);
    expectHeld(outcome);
    for (const { events, tallies } of outcome.phases("during")) {
      expect(events.paused).toBe(0);
      const others = tallies.filter(({ asking }) => asking.key === KEY);
      expect(others.map(({ degraded }) => degraded.refused)).toEqual([{}, {}]);
    }
  });

  test("`maxmemory` reached: of limits taken together none is charged", async () => {
    await using node = await startRedis();
    const { store, close } = await openClient(directly({ sort: "server", port: node.port }));
    const limiter = new RateLimiter(LIMITS, { store: store({ deadline: PATIENT }) });
    const both = ([BUCKET, LOG] as const).map((limit) => ({ limit, key: KEY }));
    await command(node.port, "CONFIG", "SET", "maxmemory", 1);
    expect(await limiter.limitAll(both)).toMatchObject({ ok: false, reason: "unavailable" });
    await command(node.port, "CONFIG", "SET", "maxmemory", 0);
    for (const { limit } of both) {
      expect(await limiter.value(limit, { key: KEY })).toMatchObject({ resetAfter: 0 });
    }
    close();
  });
});
