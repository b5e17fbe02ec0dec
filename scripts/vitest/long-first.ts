/** Starts the files that take longest before all others: none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * A dozen seconds and more, the longest first.
 *
 * The others follow by size: a file of a few lines that runs tests of another module would be the last of all.
 */
const LONG: readonly string[] = [
  "scripts/test/played/played.test.ts",
  "site/test/browser.test.ts",
  "spillway/test/stores/postgres/conformance.test.ts",
  "spillway/test/stores/postgres/versions.test.ts",
  "spillway/test/stores/redis/conformance.test.ts",
  "scripts/test/start/start.test.ts",
  "scripts/test/packed/packed.test.ts",
  "spillway/test/client/life.test.ts",
  "scripts/test/docs.test.ts",
  "scripts/test/reference.test.ts",
  "spillway/test/stores/postgres/shares.test.ts",
  "bench/test/client-life.test.ts",
  "scripts/test/api/reports.test.ts",
  "spillway/test/client/sdk/sdks.test.ts",
  "spillway/test/client/tokens.test.ts",
  "spillway/test/stores/postgres/faults/leases.test.ts",
  "spillway/test/stores/redis/faults/leases.test.ts",
  "server/test/transports/http-api/access.test.ts",
  "spillway/test/client/crowd.test.ts",
  "spillway/test/deferred/transactions.test.ts",
  "server/test/process/workers/workers.test.ts",
  "spillway/test/stores/leases/processes.test.ts",
  "spillway/test/stores/redis/shares.test.ts",
  "spillway/test/stores/postgres/faults/exact.test.ts",
  "spillway/test/stores/redis/faults/group.test.ts",
  "spillway/test/stores/redis/faults/server.test.ts",
  "spillway/test/stores/postgres/faults/server.test.ts",
  "spillway/test/stores/postgres/faults/network.test.ts",
  "spillway/test/stores/redis/faults/network.test.ts",
  "spillway/test/stores/sqlite/conformance.test.ts",
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
