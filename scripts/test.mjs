/**
 * `npm test`: sets up, then checks types, format, structure and behaviour, up to the first failure.
 *
 * Arguments go to vitest: `npm test -- limiter` runs only the tests whose path contains "limiter".
 */
import { runOpenly, runQuietly } from "./setup/child.mjs";
import { NODE, TOOLS } from "./setup/places.mjs";
import { setup } from "./setup/setup.mjs";

const chosen = process.argv.slice(2);

await setup();
if (chosen.length === 0) {
  await Promise.all([
    step("types", [TOOLS.tsc, "-p", "tsconfig.tests.json"]),
    step("format, lint", [TOOLS.biome, "check"]),
    step("structure", ["scripts/tidy.ts"]),
  ]);
}
process.exitCode = await runOpenly({ command: NODE, args: [TOOLS.vitest, "run", ...chosen] });

async function step(name, args) {
  const start = performance.now();
  await runQuietly({ name, command: NODE, args });
  console.log(`✓ ${name} ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
