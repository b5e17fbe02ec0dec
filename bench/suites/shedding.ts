/** An HTTP server that gets more than it can do: what it still serves, to whom, and how soon. */
import type { Selection } from "../selection.ts";
import { Generator } from "../shedding/child.ts";
import { describe, FIGURES, type Seen } from "../shedding/figures.ts";
import type { Situation } from "../shedding/situation.ts";
import { SITUATIONS } from "../shedding/situations.ts";
import { summary } from "../shedding/summary.ts";
import { roomOf, trial, type Unguarded } from "../shedding/trial.ts";
import type { Group, Order, Outcome, Progress, SelectiveSuite } from "./suite.ts";

/** A contender in a situation. */
type Entry = { readonly contender: string; readonly situation: Situation };

export const shedding: SelectiveSuite = (order) => compare(SITUATIONS, order);

/** Tries what was selected of some situations. */
export async function compare(
  situations: readonly Situation[],
  { only, progress }: Order,
): Promise<Outcome> {
  const selected = only.of(entriesOf(situations, only), nameOf);
  await using generator = new Generator();
  const tried: Tried[] = [];
  for (const alike of byRoom(selected))
    tried.push(...(await tryAll(alike, { generator, progress })));
  return { groups: groupsOf(tried), text: summary(tried) };
}

/** Every contender of every situation; extras only where something was selected. */
function entriesOf(situations: readonly Situation[], { isAll }: Selection): readonly Entry[] {
  return situations
    .filter(({ isExtra = false }) => !isAll || !isExtra)
    .flatMap((situation) => situation.contenders.map((contender) => ({ contender, situation })));
}

function nameOf({ contender, situation }: Entry): string {
  return `${contender} ${situation.name}`;
}

/** Those whose servers have the same room, together. */
function byRoom(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups = Map.groupBy(entries, (entry) => JSON.stringify(unguarded(entry)));
  return [...groups.values()];
}

/** The same server, without anything that refuses. For all HTTP/1.1, it is that of kept connections. */
function unguarded({ contender, situation: { clients, work } }: Entry): Unguarded {
  return {
    contender: contender.toLowerCase().includes("fastify") ? "none on Fastify" : "none",
    clients: clients === "http2" ? "http2" : "keeping",
    work,
  };
}

/** A contender in a situation, and what was seen. */
export type Tried = Seen & { readonly contender: string };

type Means = { readonly generator: Generator; readonly progress: Progress };

/** What the server has room for is measured before and after: what disturbs it only makes it less. */
async function tryAll(entries: readonly Entry[], { generator, progress }: Means): Promise<Tried[]> {
  const server = unguarded(entries[0] as Entry);
  const title = `room of ${Object.values(server).join(", ")}`;
  const before = await roomOf(server, generator);
  progress(`${title}: ${before.toFixed(1)} requests a second before`);
  const seen: Tried[] = [];
  for (const entry of entries) {
    const observation = await trial({ ...entry, room: before, seed: 1 }, generator);
    seen.push({ ...entry, observation, room: before });
    progress(`${nameOf(entry)}\n${describe(seen.at(-1) as Seen)}`);
  }
  const after = await roomOf(server, generator);
  progress(`${title}: ${after.toFixed(1)} requests a second after`);
  return seen.map((each) => ({ ...each, room: Math.max(before, after) }));
}

/** Of each situation, a group for each figure. */
function groupsOf(tried: readonly Tried[]): readonly Group[] {
  return [...Map.groupBy(tried, ({ situation }) => situation)].flatMap(([{ name }, all]) =>
    FIGURES.map(({ name: figure, unit, of }) => ({
      title: `${name}, ${figure}`,
      rows: all.map((each) => ({
        name: `${each.contender} ${name}, ${figure}`,
        value: of(each),
        unit,
      })),
    })),
  );
}
