/**
 * What each fault costs, and what many processes admit, in tables that `docs/stores/postgres.md` sums up:
 *
 *     node packages/spillway/test/stores/postgres/faults/measure.ts
 */
import { runFault } from "../../faults/fault-run.ts";
import { boundRow, faultRow } from "../../faults/rows.ts";
import { runOnPostgres } from "./exact-run.ts";
import { POSTGRES } from "./fault.ts";
import { FAULTS } from "./faults.ts";
import { ISOLATIONS } from "./isolation.ts";

/** Milliseconds of asking as fast as four processes can. */
const SPAN = 10_000;

console.log("| fault | what callers got meanwhile | healed after | admitted, of at most |");
console.log("| --- | --- | --- | --- |");
for (const fault of FAULTS) console.log(faultRow(await runFault(fault, POSTGRES)));

for (const isolation of ISOLATIONS) {
  console.log(`\n| ${isolation}, for ${SPAN / 1000} s | asked | admitted | bound |`);
  console.log("| --- | --- | --- | --- |");
  const run = await runOnPostgres(isolation, SPAN);
  for (const limit of run.counted) console.log(boundRow(run, limit));
}
