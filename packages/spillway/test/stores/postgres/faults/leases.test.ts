import { describe, test } from "vitest";
import { someOf } from "../../../runs.ts";
import { runLeases } from "../../faults/lease-run.ts";
import { expectLeasesHeld } from "../../faults/lease-verdict.ts";
import { POSTGRES } from "./fault.ts";
import { LEASE_FAULTS } from "./lease-faults.ts";

describe.concurrent("leases are all given back in the end, none twice", () => {
  test.for(someOf(LEASE_FAULTS, 2))("$name", async (fault) =>
    expectLeasesHeld(await runLeases(fault, POSTGRES)),
  );
});
