/** What limits cost a server: requests to four frameworks, bare, with ours, and with the usual one. */
import { Child } from "../child.ts";
import {
  type Amount,
  type Figures,
  SITUATIONS,
  type Situation,
  startAll,
} from "../http/entrants.ts";
import { groupOf, rowOf } from "../rows.ts";
import { interleave, type Rounds } from "../run.ts";
import type { Group, Order, Outcome, Progress, SelectiveSuite } from "./suite.ts";

/** In a turn of one server; about half a second. */
const AMOUNT: Amount = { connections: 64, requests: 15_000 };
const ROUNDS = 15;

export const http: SelectiveSuite = async ({ only, progress }: Order): Promise<Outcome> => {
  const groups: Group[] = [];
  for (const situation of only.of(SITUATIONS, ({ name }) => name)) {
    groups.push(...(await measure(situation, progress)));
  }
  return { groups };
};

async function measure(situation: Situation, progress: Progress): Promise<readonly Group[]> {
  await using resources = new AsyncDisposableStack();
  const generator = resources.use(new Child(new URL("../http/generator.ts", import.meta.url)));
  const contestants = await startAll(situation, { resources, generator, amount: AMOUNT });
  const { name } = situation;
  const title = `${name}, requests a second / µs p50 / p99 / part of a processor that sends / µs of the server`;
  const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
  return [
    groupOf(name, measured, { figure: "speed", unit: "requests a second" }),
    groupOf(`${name}: median`, measured, { figure: "p50", suffix: " p50", unit: "µs" }),
    groupOf(`${name}: 99 %`, measured, { figure: "p99", suffix: " p99", unit: "µs" }),
    groupOf(`${name}: processor time of the server`, measured, COST),
    added(name, measured),
  ];
}

const COST = { figure: "cost", suffix: " server µs", unit: "µs a request" } as const;

/** What each limiter takes of the server's processor beyond the bare server, round by round. */
function added(title: string, measured: Rounds<Figures>): Group {
  const bare = measured.get("bare") ?? [];
  const rows = [...measured]
    .filter(([name]) => name !== "bare")
    .map(([name, all]) => {
      const values = all.map(({ cost }, round) => cost - (bare[round]?.cost ?? Number.NaN));
      return rowOf({ name: `${name} added µs`, unit: "µs a request" }, values);
    });
  return { title: `${title}: processor time that a limiter adds`, rows };
}
