/** The page on what shares and regions bring, with what came of each scenario. */
import { holdsChart, hourly, keysChart, loadRows, loadsChart, TABLE_LOADS } from "./loads.ts";
import { percent } from "./play.ts";
import { movesChart, partitionChart, regionRows } from "./stories.ts";

const HEAD = `# Shares and regions, tried

When does [\`share\`](../shares.md) pay, and how long should units be held? \`npm run draw\` writes this page from
[\`scripts/draw/limits\`](../../scripts/draw/limits/loads.ts), by [simulation](../testing/limits.md), which also takes your own numbers; a
test repeats every run. For real servers see [what shares bring](../shares.md#what-it-brings).

| your limit | \`share\` |
| --- | --- |
| eight calls a second for each key and process, 100 units of capacity a process | yes, \`"10s"\` |
| the same calls, fewer units a process | saves most calls: [see how many](#how-many-calls-the-store-gets) |
| less than one call a second for most keys | no: [nothing is gained](#many-keys) |
| a window of minutes or hours, or a slow bucket | yes; [shorter holds cost calls](#which-hold) |
| a block must apply everywhere at once | no |
| several regions | with a capacity of [some seconds of the rate](#regions) |

No run exceeded the limit by a unit.

By default the limit is a token bucket of 1000 a second with a capacity of 1000, and \`share: "10s"\`; a message takes 0.5 ms each
way. "Ideal" is what one store that answers all processes without delay would admit. More than 100 % is left over from the full bucket at the
beginning.
`;

async function loads(): Promise<string> {
  const header = TABLE_LOADS.map((times) => `${times} × the rate`);
  return `## How many calls the store gets

Store calls for 100 calls of \`limit\`, and the admitted share of the ideal. Without shares it is 100 calls.

| processes | capacity | ${header.join(" | ")} |
| --- | --- | ${header.map(() => "---").join(" | ")} |
${(await loadRows()).join("\n")}

![Store calls, by how often a process is asked](loads.svg)

A process that is called less than once in some seconds gives units back unused, so the store gets more calls than without shares.
`;
}

async function holds(): Promise<string> {
  const lost = 1 - (await hourly(10_000, 4));
  const shortest = await hourly(100);
  return `## Which hold

Ten seconds. Shorter holds cost calls: a process draws its use of a second, or of up to eight seconds if that is little, but at
most of half the hold. Unused units go back before the hold ends. A longer hold gains nothing, delays blocks, and makes a killed
process's units missing for longer.

![Which share: what it costs to hold units for shorter](holds.svg)

Of 5000 units an hour, with 200 calls a second at eight processes, ${percent(shortest)} are admitted with holds of 100 ms. With holds of ten
seconds, four killed processes lost ${percent(lost)}.
`;
}

async function regions(): Promise<string> {
  return `## Regions

Three regions with a third of the limit and four processes each, 40 ms apart each way; 80 % of the traffic is in one. The admitted
share of the ideal:

| how | capacity | 0.9 × the rate | 2 × the rate |
| --- | --- | --- | --- |
${(await regionRows()).join("\n")}

Units that are held or on their way are missing in other regions, and again if processes also hold some. Give limits over regions a capacity of some
seconds of the rate.

![Three regions, and the busy one cut off](partition.svg)

A region that is cut off admits its part only, and refuses while units are left elsewhere, so that the limit is never exceeded.
`;
}

const KEYS = `## Many keys

![Store calls, by how many keys there are](keys.svg)
`;

const MOVES = `## Traffic that moves

![Traffic that moves from one process to another](moves.svg)

The process that receives calls draws units; those that others hold unused go back after two seconds.
`;

/** Files of `docs/shares`, by name. */
export async function limitFiles(): Promise<ReadonlyMap<string, string>> {
  const parts = [HEAD, await loads(), await holds(), KEYS, MOVES, await regions()];
  return new Map([
    ["loads.svg", await loadsChart()],
    ["holds.svg", await holdsChart()],
    ["keys.svg", await keysChart()],
    ["moves.svg", await movesChart()],
    ["partition.svg", await partitionChart()],
    ["scenarios.md", parts.join("\n")],
  ]);
}
