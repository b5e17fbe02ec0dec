/** Starts the files that take longest before all others: none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Half a minute and more, the longest first. */
const LONG: readonly string[] = [
  "scripts/test/packed/packed.test.ts",
  "spillway/test/stores/postgres/conformance.test.ts",
  "scripts/test/played/played.test.ts",
  "spillway/test/stores/redis/conformance.test.ts",
  "spillway/test/stores/postgres/faults/exact.test.ts",
  "scripts/test/start/start.test.ts",
];

/** Where a file is among the long ones; behind them all for any other. */
function rank({ moduleId }: TestSpecification): number {
  const index = LONG.findIndex((path) => moduleId.endsWith(`/${path}`));
  return index < 0 ? LONG.length : index;
}

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
