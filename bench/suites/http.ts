/** What limits cost a server: requests to four frameworks, bare, with ours, and with the usual one. */
import { Child } from "../child.ts";
import {
  type Amount,
  type Figures,
  SITUATIONS,
  type Situation,
  startAll,
} from "../http/entrants.ts";
import { interleave, type Medians } from "../run.ts";
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
  const medians = await interleave(contestants, { title, rounds: ROUNDS, progress });
  return [
    groupOf(name, medians, { figure: "speed", suffix: "", unit: "requests a second" }),
    groupOf(`${name}: median`, medians, { figure: "p50", suffix: " p50", unit: "µs" }),
    groupOf(`${name}: 99 %`, medians, { figure: "p99", suffix: " p99", unit: "µs" }),
    groupOf(`${name}: processor time of the server`, medians, COST),
    added(name, medians),
  ];
}

const COST = { figure: "cost", suffix: " server µs", unit: "µs a request" } as const;

type Column = {
  readonly figure: keyof Figures;
  /** What stands behind the names of the rows. */
  readonly suffix: string;
  readonly unit: string;
};

function groupOf(
  title: string,
  medians: Medians<Figures>,
  { figure, suffix, unit }: Column,
): Group {
  const rows = [...medians].map(([name, seen]) => {
    const value = Number(seen[figure].toFixed(figure === "cost" ? 1 : 0));
    return { name: `${name}${suffix}`, value, unit };
  });
  return { title, rows };
}

/** What each limiter takes of the server's processor beyond the bare server. */
function added(title: string, medians: Medians<Figures>): Group {
  const bare = medians.get("bare")?.cost ?? Number.NaN;
  const rows = [...medians]
    .filter(([name]) => name !== "bare")
    .map(([name, { cost }]) => {
      const value = Number((cost - bare).toFixed(1));
      return { name: `${name} added µs`, value, unit: "µs a request" };
    });
  return { title: `${title}: processor time that a limiter adds`, rows };
}
