import { describe, test } from "vitest";
import { runLeases } from "../../faults/lease-run.ts";
import { expectLeasesHeld } from "../../faults/lease-verdict.ts";
import { POSTGRES } from "./fault.ts";
import { LEASE_FAULTS } from "./lease-faults.ts";

/** Milliseconds: servers take a busy machine their time to start. */
const PATIENCE = 120_000;

describe.concurrent("leases are all given back in the end, none twice", {
  timeout: PATIENCE,
}, () => {
  test.for(LEASE_FAULTS)("$name", async (fault) =>
    expectLeasesHeld(await runLeases(fault, POSTGRES)),
  );
});
