import { describe, test } from "vitest";
import { runLeases } from "../../faults/lease-run.ts";
import { expectLeasesHeld } from "../../faults/lease-verdict.ts";
import { REDIS } from "./fault.ts";
import { LEASE_FAULTS } from "./lease-faults.ts";

describe.concurrent("leases are all given back in the end, none twice", () => {
  test.for(LEASE_FAULTS)("$name", async (fault) => expectLeasesHeld(await runLeases(fault, REDIS)));
});
