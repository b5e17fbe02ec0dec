/** Decisions a second from stores in memory that know every key already. See `bench/README.md`. */
import { performance } from "node:perf_hooks";
import { collectGarbage } from "../heap.ts";
import { batches, makeKeys, shuffled } from "../keys.ts";
import { bareStep } from "../peers/bare-step.ts";
import { peers } from "../peers/index.ts";
import type { Asker, Pace } from "../peers/peer.ts";
import { spillway } from "../peers/spillway.ts";
import { groupOf, rowOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import { alone, KINDS } from "../scale/kinds.ts";
import type { Group, Order, Outcome, Progress, SelectiveSuite } from "./suite.ts";

const HOUR = 3_600_000;
/** More than any key is asked for, so that everything is admitted. */
const AMPLE: Pace = { rate: 1_000_000, period: HOUR };
/** The first ask of a key takes the one unit there is, so that all others are refused. */
const SPENT: Pace = { rate: 1, period: 24 * HOUR };
/** Keys that are asked for between two looks at what has been admitted. */
const BATCH = 10_000;

/** A library under a limit that admits every call, or that refuses all but a key's first. */
type Entry = {
  readonly name: string;
  readonly asker: Asker;
  readonly admits: boolean;
};

/** How many keys there are, and how they are asked for. */
type Scale = {
  readonly title: string;
  /** What stands behind the names of the rows. */
  readonly suffix: string;
  /** In the order in which they are asked for, again and again. */
  readonly keys: readonly string[];
  /** The same, in the order in which a store meets them. */
  readonly first: readonly string[];
  readonly rounds: number;
  /** How many times in a turn: a multiple of the batch. */
  readonly asks: number;
};

/** What `--only` takes, and what is measured then. */
const PARTS: readonly { readonly name: string; measure(progress: Progress): Promise<Group> }[] = [
  { name: "peers at 10k", measure: (progress) => compare(tenThousand(), progress) },
  { name: "peers at 1M", measure: (progress) => compare(aMillion(), progress) },
  {
    name: "kinds at 10k",
    measure: (progress) => compareKinds({ keys: 10_000, rounds: 2, suffix: "" }, progress),
  },
  {
    name: "kinds at 1M",
    measure: (progress) =>
      compareKinds({ keys: 1_000_000, rounds: 1, suffix: " 1M keys" }, progress),
  },
];

export const memory: SelectiveSuite = async ({ only, progress }: Order): Promise<Outcome> => {
  const groups: Group[] = [];
  for (const { measure } of only.of(PARTS, ({ name }) => name))
    groups.push(await measure(progress));
  return { groups };
};

/** How many keys each kind has, and what stands behind the names of the rows. */
type KindsScale = { readonly keys: number; readonly rounds: number; readonly suffix: string };

/** This project alone: a process for each kind. */
async function compareKinds(
  { keys, rounds, suffix }: KindsScale,
  progress: Progress,
): Promise<Group> {
  const title = `each kind alone, ${keys} keys, shuffled`;
  const contestants = KINDS.map((kind) => alone(kind, keys));
  const measured = await interleave(contestants, { title: `${title}, ns`, rounds, progress });
  const rows = KINDS.map((kind) => {
    const values = (measured.get(kind) ?? []).map((ns) => 1e9 / (ns[kind] as number));
    return rowOf({ name: `${kind}${suffix}`, unit: "decisions a second" }, values);
  });
  return { title, rows };
}

/** Round robin: what is asked for next is what was asked for longest ago. */
function tenThousand(): Scale {
  const keys = makeKeys(10_000);
  const title = "10 000 keys, round robin";
  return { title, suffix: "", keys, first: keys, rounds: 25, asks: 500_000 };
}

/** Round robin too, but shuffled: where a store keeps a key says nothing about where the next is. */
function aMillion(): Scale {
  const keys = makeKeys(1_000_000);
  const title = "1 000 000 keys, shuffled";
  return { title, suffix: " 1M keys", keys, first: shuffled(keys), rounds: 15, asks: 250_000 };
}

async function compare(scale: Scale, progress: Progress): Promise<Group> {
  const entries = openAll();
  for (const entry of entries) await meet(entry, scale.first);
  collectGarbage();
  const contestants = entries.map((entry) => contestant(entry, scale));
  const title = `${scale.title}, millions a second`;
  const measured = await interleave(contestants, { title, rounds: scale.rounds, progress });
  for (const { asker } of entries) asker.close();
  const unit = "decisions a second";
  const convert = (millions: number) => millions * 1e6;
  return groupOf(scale.title, measured, {
    figure: "millions",
    unit,
    suffix: scale.suffix,
    convert,
  });
}

function openAll(): readonly Entry[] {
  return peers.flatMap((peer) => {
    const entry = { name: peer.name, asker: peer.open(AMPLE), admits: true };
    if (peer !== spillway) return [entry];
    return [
      entry,
      { name: `${peer.name} (refused)`, asker: peer.open(SPENT), admits: false },
      { name: bareStep.name, asker: bareStep.open(AMPLE), admits: true },
    ];
  });
}

/** Asks for every key once, which is admitted even where all that follows is refused. */
async function meet(entry: Entry, keys: readonly string[]): Promise<void> {
  expectAdmitted(entry, { admitted: await entry.asker.ask(keys), expected: keys.length });
}

/** Each turn goes on with the keys where the last one stopped. */
function contestant(
  entry: Entry,
  { keys, asks }: Scale,
): Contestant<{ readonly millions: number }> {
  const all = batches(keys, BATCH);
  let next = 0;
  return {
    name: entry.name,
    async measure() {
      let admitted = 0;
      const start = performance.now();
      for (let left = asks; left > 0; left -= BATCH) {
        admitted += await entry.asker.ask(all[next++ % all.length] ?? []);
      }
      const seconds = (performance.now() - start) / 1000;
      expectAdmitted(entry, { admitted, expected: entry.admits ? asks : 0 });
      return { millions: asks / seconds / 1e6 };
    },
  };
}

function expectAdmitted(
  { name }: Entry,
  { admitted, expected }: { readonly admitted: number; readonly expected: number },
): void {
  if (admitted === expected) return;
  throw new Error(`${name} admitted ${admitted} asks where ${expected} were expected`);
}
