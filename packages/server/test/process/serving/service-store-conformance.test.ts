/** The library's own suite, through HTTP: a limiter whose store is the service answers as any other. */
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { memoryStore } from "spillway";
import { serviceStore } from "spillway/service";
import { conformance, manualClock } from "spillway/testing";
import { afterAll, beforeAll, test } from "vitest";
import { createServer, createService, parseRules } from "../../../src/index.ts";

/** The store's deadline: a case is to find what is wrong with answers, not with a busy machine. */
const PATIENT = 10_000;
const TIMES = Number(process.env.SPILLWAY_RUNS ?? 1);
/** What pairs of kinds do together is arithmetic of the service's store: `npm run soak` has it here too. */
const LONG = /take turns within both bounds/;

let app: FastifyInstance;
let url = "";
/** The clock of the case that runs. */
let time = manualClock();
let cases = 0;

beforeAll(async () => {
  const clock = () => time();
  const rules = parseRules([{ name: "none.yaml", text: "domain: none\ndescriptors: []" }]);
  const service = createService({ rules, clock, store: memoryStore({ clock }) });
  app = await createServer({ service, quiet: 0 });
  await app.listen({ host: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

const all = conformance(
  (clock) => {
    time = clock;
    return serviceStore(url, { prefix: `case-${cases++}`, deadline: PATIENT });
  },
  { seeds: TIMES },
);
for (const { name, run } of all) {
  if (TIMES > 1 || !LONG.test(name)) test(name, run);
}
