import { describe, test } from "vitest";
import { runLeases } from "../../faults/lease-run.ts";
import { expectLeasesHeld } from "../../faults/lease-verdict.ts";
import { REDIS } from "./fault.ts";
import { LEASE_FAULTS } from "./lease-faults.ts";

/** Milliseconds: a cluster takes a busy machine its time to start, and to settle. */
const PATIENCE = 120_000;

describe.concurrent("leases are all given back in the end, none twice", {
  timeout: PATIENCE,
}, () => {
  test.for(LEASE_FAULTS)("$name", async (fault) => expectLeasesHeld(await runLeases(fault, REDIS)));
});
