import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { expect, it } from "vitest";
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

it("releases the leases of requests whose end is not reported", async () => {
  const service = createService({ rules: rulesOf(RULES) });
  const server = createServer();
  const request = once(server, "request");
  void fetch(await listening(server)).catch(() => {});
  const [asked, response] = (await request) as [ServerResponse["req"], ServerResponse];
  atEnd(() => {
    server.close();
    response.destroy();
  });
  const { lease: held } = await service.limit(REPORTS);
  if (held === undefined) throw new Error("no lease");
  const leases = new HeldLeases();
  leases.add(new RenewedLease({ service, asked: REPORTS, held }), http1Arrival(asked, response));
  expect((await service.value(REPORTS)).values[0]?.remaining).toBe(2);
  await leases.close();
  expect((await service.value(REPORTS)).values[0]?.remaining).toBe(3);
});
