/** The service as its clients meet it: decisions over HTTP, on each store. */
import { Child } from "../child.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import { type Contender, startAll } from "../service/contenders.ts";
import type { Load, Seen } from "../service/load.ts";
import type { Progress, Suite } from "./suite.ts";

const CONNECTIONS = 64;
const ROUNDS = 15;
/** In a turn of one contender; less than a second, but for Postgres. */
const REQUESTS = 15_000;

export const service: Suite = async (progress: Progress) => {
  await using resources = new AsyncDisposableStack();
  const contenders = await startAll(resources);
  const generator = resources.use(new Child(new URL("../service/generator.ts", import.meta.url)));
  const title = `POST /v1/limit on ${CONNECTIONS} connections`;
  const shown = `${title}, requests a second / µs p50 / p99 / part of a processor that sends`;
  const contestants = contenders.map((contender) => contestant(contender, generator));
  const measured = await interleave(contestants, { title: shown, rounds: ROUNDS, progress });
  return [
    groupOf(title, measured, { figure: "speed", unit: "requests a second" }),
    groupOf(`${title}: median`, measured, { figure: "p50", suffix: " p50", unit: "µs" }),
    groupOf(`${title}: 99 %`, measured, { figure: "p99", suffix: " p99", unit: "µs" }),
  ];
};

function contestant({ name, port }: Contender, generator: Child): Contestant<Seen> {
  const load: Load = { port, connections: CONNECTIONS, requests: REQUESTS };
  return {
    name,
    async measure() {
      generator.process.send(load);
      return (await generator.message()) as Seen;
    },
  };
}
