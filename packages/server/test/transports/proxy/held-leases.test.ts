import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterEach, expect, it, vi } from "vitest";
import { createService } from "../../../src/index.ts";
import { RenewedLease } from "../../../src/service/index.ts";
import { http1Arrival } from "../../../src/transports/proxy/arrival.ts";
import { HeldLeases } from "../../../src/transports/proxy/held-leases.ts";
import { atEnd } from "../../support/at-end.ts";
import { rulesOf } from "../../support/rules.ts";
import { listening, RULES } from "./scene.ts";

const REPORTS = {
  domain: "shop",
  descriptors: [{ entries: [{ key: "generic_key", value: "reports" }] }],
};

afterEach(() => void vi.useRealTimers());

/** A request under way, whose end is not reported. */
async function underWay() {
  const server = createServer();
  const request = once(server, "request");
  void fetch(await listening(server)).catch(() => {});
  const [asked, response] = (await request) as [ServerResponse["req"], ServerResponse];
  atEnd(() => {
    server.close();
    response.destroy();
  });
  return http1Arrival(asked, response);
}

it("releases the leases of requests whose end is not reported", async () => {
  const service = createService({ rules: rulesOf(RULES) });
  const arrival = await underWay();
  const { lease: held } = await service.limit(REPORTS);
  if (held === undefined) throw new Error("no lease");
  const leases = new HeldLeases();
  leases.add(new RenewedLease({ service, asked: REPORTS, held }), arrival);
  expect((await service.value(REPORTS)).values[0]?.remaining).toBe(2);
  await leases.close();
  expect((await service.value(REPORTS)).values[0]?.remaining).toBe(3);
});

it("waits 5 s for a store that is away, and leaves the leases to expire", async () => {
  const rules = rulesOf(RULES);
  const service = createService({ rules });
  const { lease: held } = await service.limit(REPORTS);
  if (held === undefined) throw new Error("no lease");
  const away = async () => Promise.reject(new Error("the store gave no answer"));
  const unanswered = { ...createService({ rules }), release: away };
  const arrival = await underWay();
  vi.useFakeTimers();
  const leases = new HeldLeases();
  leases.add(new RenewedLease({ service: unanswered, asked: REPORTS, held }), arrival);
  const begun = performance.now();
  const closed = leases.close();
  await vi.advanceTimersToNextTimerAsync();
  expect(performance.now() - begun).toBeLessThan(5000);
  await vi.advanceTimersByTimeAsync(5000);
  await closed;
  expect(performance.now() - begun).toBeLessThan(6000);
});
