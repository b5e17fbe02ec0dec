/**
 * What each fault costs, in two tables that `docs/stores/redis.md` sums up:
 *
 *     node packages/spillway/test/stores/redis/faults/measure.ts
 */
import { runFault } from "../../faults/fault-run.ts";
import { boundRow, faultRow } from "../../faults/rows.ts";
import { runOnRedis } from "./exact-run.ts";
import { REDIS } from "./fault.ts";
import { FAULTS } from "./faults.ts";

/** Milliseconds of asking as fast as four processes can. */
const SPAN = 10_000;

console.log("| fault | what callers got meanwhile | healed after | admitted, of at most |");
console.log("| --- | --- | --- | --- |");
for (const fault of FAULTS) console.log(faultRow(await runFault(fault, REDIS)));

const run = await runOnRedis(SPAN);
console.log(`\n| four processes for ${SPAN / 1000} s | asked | admitted | bound |`);
console.log("| --- | --- | --- | --- |");
for (const limit of run.counted) console.log(boundRow(run, limit));
