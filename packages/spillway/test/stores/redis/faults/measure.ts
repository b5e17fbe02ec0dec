/**
 * What each fault costs, as two tables for `docs/stores/redis.md`:
 *
 *     node packages/spillway/test/stores/redis/faults/measure.ts
 */
import { runExactly } from "./exact-run.ts";
import { runFault } from "./fault-run.ts";
import { FAULTS } from "./faults.ts";
import { boundRow, faultRow } from "./rows.ts";

/** Milliseconds of asking as fast as four processes can. */
const SPAN = 10_000;

console.log("| fault | what callers got meanwhile | healed after | admitted, of at most |");
console.log("| --- | --- | --- | --- |");
for (const fault of FAULTS) console.log(faultRow(await runFault(fault)));

const run = await runExactly(SPAN);
console.log(`\n| four processes for ${SPAN / 1000} s | asked | admitted | bound |`);
console.log("| --- | --- | --- | --- |");
for (const limit of run.counted) console.log(boundRow(run, limit));
