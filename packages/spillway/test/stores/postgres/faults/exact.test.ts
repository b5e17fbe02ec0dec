import { describe } from "vitest";
import { testExactness } from "../../faults/exact-tests.ts";
import { runOnPostgres } from "./exact-run.ts";
import { ISOLATIONS } from "./isolation.ts";

describe.each(ISOLATIONS)("four processes with ten connections each, %s", (isolation) => {
  testExactness(() => runOnPostgres(isolation, 500));
});
