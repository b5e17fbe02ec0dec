import { describe } from "vitest";
import { testExactness } from "../../faults/exact-tests.ts";
import { runOnRedis } from "./exact-run.ts";

describe("four processes, 64 asks of each limit in flight in each, for ten seconds", () => {
  testExactness(() => runOnRedis(10_000));
});
