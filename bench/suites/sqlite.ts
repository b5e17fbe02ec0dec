/** Decisions in SQLite files, each contender in one of its own: how many in a second. */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { makeKeys, shuffled } from "../keys.ts";
import { inTurn } from "../load.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Ask, Contender } from "../sqlite/contender.ts";
import { contenders } from "../sqlite/index.ts";
import type { Suite } from "./suite.ts";

const KEYS = shuffled(makeKeys(10_000));
const ROUNDS = 25;
/** In a turn of one contender: some tenths of a second, with several of the log's checkpoints. */
const ASKS = 10_000;

const TITLE = "10 000 keys in a file, one transaction a decision";

export const sqlite: Suite = async (progress) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "spillway-bench-"));
  const contestants = await Promise.all(
    contenders.map(async (contender, index) => {
      const ask = await contender.open(join(folder.path, `${index}.db`));
      return contestant(contender, ask);
    }),
  );
  const title = `${TITLE}, thousands a second`;
  const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
  const unit = "decisions a second";
  const convert = (thousands: number) => thousands * 1000;
  return [groupOf(TITLE, measured, { figure: "thousands", unit, convert })];
};

function contestant(
  { name, isDue }: Contender,
  ask: Ask<unknown>,
): Contestant<{ readonly thousands: number }> {
  const nextKey = inTurn(KEYS);
  return {
    name,
    async measure() {
      const start = performance.now();
      for (let left = ASKS; left > 0; left--) {
        const answer = ask(nextKey());
        const known = answer instanceof Promise ? await answer : answer;
        if (!isDue(known)) throw new Error(`${name} answered ${JSON.stringify(known)}`);
      }
      return { thousands: ASKS / (performance.now() - start) };
    },
  };
}
