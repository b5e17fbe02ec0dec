/** Whether memory stays as it is, however many keys come by. */
import type { Part } from "../scale/part.ts";
import type { Progress } from "../suites/suite.ts";
import { Means } from "./means.ts";
import { Prober } from "./prober.ts";
import { grpcBody } from "./question.ts";
import { residentMib } from "./resident.ts";

const MAX_KEYS = 20_000;
/** Calls on their way at once. */
const IN_FLIGHT = 64;
/** Of the time of the short form; `SPILLWAY_RUNS=50` makes it some ten minutes. */
const PART = 60_000 * Number(process.env.SPILLWAY_RUNS ?? 1);

export const memory: Part = {
  name: "memory",
  async measure(progress: Progress) {
    await using means = new Means();
    const service = await means.service(["--store", "memory", "--max-keys", String(MAX_KEYS)]);
    using prober = new Prober(service.grpcPort);
    const keys = freshKeys();
    // As many as it holds, and once as many that make it forget.
    await askAll(prober, keys, PART);
    const before = residentMib(service.pid);
    progress(`memory after ${PART} fresh keys: ${before} MiB`);
    await askAll(prober, keys, PART);
    const after = residentMib(service.pid);
    progress(`memory after ${2 * PART}: ${after} MiB`);
    return [
      {
        title: `Resident memory, ${MAX_KEYS} keys at most, after so many fresh ones`,
        rows: [
          { name: `memory after ${2 * PART} keys`, value: after, unit: "MiB" },
          { name: `memory after ${PART} keys`, value: before, unit: "MiB" },
        ],
      },
    ];
  },
};

function* freshKeys(): Generator<Buffer> {
  for (let next = 0; ; next++) {
    yield grpcBody({ domain: "bench", entry: { key: "user", value: `fresh-${next}` } });
  }
}

async function askAll(prober: Prober, keys: Generator<Buffer>, count: number): Promise<void> {
  let left = count;
  const askOn = async () => {
    while (left-- > 0) await prober.ask(keys.next().value);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, askOn));
}
