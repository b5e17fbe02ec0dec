/**
 * What becomes of leases in each fault, in a table that `docs/stores/redis.md` sums up:
 *
 *     node packages/spillway/test/stores/redis/faults/measure-leases.ts
 */
import { runLeases } from "../../faults/lease-run.ts";
import { leaseRow } from "../../faults/lease-verdict.ts";
import { REDIS } from "./fault.ts";
import { LEASE_FAULTS } from "./lease-faults.ts";

console.log("| fault | what callers got meanwhile | most in flight | all capacity back after |");
console.log("| --- | --- | --- | --- |");
for (const fault of LEASE_FAULTS) console.log(leaseRow(await runLeases(fault, REDIS)));
