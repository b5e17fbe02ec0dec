/** The page on what shares and regions bring, with what came of each scenario. */
import { holdsChart, hourly, keysChart, loadRows, loadsChart, TABLE_LOADS } from "./loads.ts";
import { percent } from "./play.ts";
import { movesChart, partitionChart, regionRows } from "./stories.ts";

const HEAD = `# Shares and regions, tried

Should you turn [\`share\`](../shares.md) on, and for how long should units be held? What comes of it, played in virtual time by
[\`simulateLimits\`](../testing/limits.md): the library itself, behind a simulated network. This page and its pictures are made by
\`npm run draw\` from [\`scripts/draw/limits\`](../../scripts/draw/limits/loads.ts); a test plays everything again and fails where it comes
out otherwise. For your own numbers, change those of [the example](../testing/limits.md); for speed on real servers see
[what shares bring](../shares.md#what-it-brings).

| your limit                                                                                    | \`share\`                                              |
| ---------------------------------------------------------------------------------------------- | ----------------------------------------------------- |
| a key is asked for eight times a second or more at each process, 100 units of capacity for each | yes, \`"10s"\`                                          |
| as often, but fewer units for each process                                                      | it still saves most calls; [see how many](#how-many-calls-the-store-gets) |
| most keys are asked for less than once a second at a process                                    | no: [nothing is gained](#many-keys)                    |
| a window of minutes or hours, or a bucket that refills slowly                                   | yes; [shorter holds cost calls](#which-hold)           |
| a block has to be seen everywhere at once                                                       | no                                                    |
| several regions                                                                                | with a capacity of [some seconds of the rate](#regions) |

In none of these runs was the limit exceeded by a unit.

By default the limit is a token bucket of 1000 a second with a capacity of 1000, and \`share: "10s"\`; a message takes 0.5 ms each
way. "Of the ideal" is what was admitted, as a share of what one store would have admitted that answers everybody at once. It
may be above 100 %, by what was left of the full bucket at the beginning.
`;

async function loads(): Promise<string> {
  const header = TABLE_LOADS.map((times) => `${times} × the rate`);
  return `## How many calls the store gets

Store calls for 100 calls of \`limit\`, and what was admitted of the ideal. Without shares it is 100 calls for 100.

| processes | capacity | ${header.join(" | ")} |
| --- | --- | ${header.map(() => "---").join(" | ")} |
${(await loadRows()).join("\n")}

![Store calls, by how often a process is asked](loads.svg)

Where a process is asked less than once in some seconds, what it drew goes back before it is used, and the store gets more calls than without.
`;
}

async function holds(): Promise<string> {
  const lost = 1 - (await hourly(10_000, 4));
  const shortest = await hourly(100);
  return `## Which hold

Ten seconds. Shorter holds cost calls: a process draws what it uses in a second, or in up to eight seconds where that is little, but no more than
in half of the hold, and what is not used goes back before that ends. A longer hold gains nothing; a block
is seen later, and what a killed process held is missing for longer.

![Which share: what it costs to hold units for shorter](holds.svg)

Of 5000 units an hour, asked for 200 times a second at eight processes, ${percent(shortest)} are admitted with holds of 100 ms; four processes
that were killed took ${percent(lost)} with them, with holds of ten seconds.
`;
}

async function regions(): Promise<string> {
  return `## Regions

Three regions with a third of the limit and four processes each, 40 ms apart each way; 80 % of the traffic is in one. What was admitted of
the ideal:

| how | capacity | 0.9 × the rate | 2 × the rate |
| --- | --- | --- | --- |
${(await regionRows()).join("\n")}

Where the capacity is one second of the rate, units that are held or on their way are missing elsewhere, and twice so where processes hold
some as well. Give limits over regions a capacity of some seconds of the rate.

![Three regions, and the busy one cut off](partition.svg)

A region that is cut off admits its part and no more. It refuses while units are left elsewhere: that is the price of never being
over.
`;
}

const KEYS = `## Many keys

![Store calls, by how many keys there are](keys.svg)
`;

const MOVES = `## Traffic that moves

![Traffic that moves from one process to another](moves.svg)

No process has to know of another: whoever is asked draws, and what others hold and do not use goes back after two seconds.
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
