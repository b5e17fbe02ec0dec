/**
 * `npm run soak`: the library's tests with twenty times as many random runs, or SPILLWAY_RUNS times as many.
 *
 * Arguments go to vitest: `npm run soak -- conformance` makes those of the stores longer only.
 */
import { runOpenly } from "./setup/child.mjs";
import { NODE, TOOLS } from "./setup/places.mjs";
import { setup } from "./setup/setup.mjs";

process.env.SPILLWAY_RUNS ??= "20";
await setup();
const [...which] = process.argv.slice(2);
if (which.length === 0) which.push("packages/spillway");
process.exitCode = await runOpenly({ command: NODE, args: [TOOLS.vitest, "run", ...which] });
