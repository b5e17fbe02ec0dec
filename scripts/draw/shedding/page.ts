/** The page of the trials, with what came of each. */
import type { AdaptiveShedderOptions } from "spillway/shedding";
import type { Scenario } from "spillway/testing/simulation";
import { chart } from "./chart.ts";
import { figuresOf, play } from "./play.ts";
import { REAL_CLIENTS } from "./real-clients.ts";
import { ThroughputTimesLatency, Vegas } from "./rivals.ts";
import { TRIALS } from "./scenarios.ts";
import { adaptiveWith, type Trial, withoutShedder } from "./trial.ts";

const HEAD = `# Shedders, tried

[Shedders](README.md) under many loads, in [simulation](../testing/simulation.md). \`npm run draw\` writes this page from
[\`scripts/draw/shedding/scenarios.ts\`](../../scripts/draw/shedding/scenarios.ts); a test repeats every run.

By default the work of a request takes 5 ms of CPU time, exponentially distributed. Reading a request takes 0.02 ms, and refusing it another 0.03 ms. Clients wait for a
second. 8 % of the requests are \`critical\`, 42 % \`normal\`, 30 % \`low\`, 20 % \`background\`.

- **Capacity**: such requests a second that could be served without refusals, queues and new connections.
- **Goodput**: the share served within the second, of the capacity, or of the requests that came if they were fewer, after settling.
- **Came**: sent in a second, retries included. "Served in time" and "not served" count by the second of sending.
- **Latency**: of everything served, late answers included.

| load | goodput | critical served | p99 of what was served | refused |
|---|---|---|---|---|
`;

const CLIENTS_HEAD = `## Processes as they start, clients as they are

Clients open connections on demand, and close those without an answer within a second. The process accepts one connection in each turn
of its event loop, as Node does. Two health checks a second are exempt.

| load | goodput | critical served | health checks | p99 | refused | no shedder: goodput | critical | health checks |
|---|---|---|---|---|---|---|---|---|
`;

/** Ways to find out how much should be in flight, by what the table calls them. */
const CAPS = {
  "`ConcurrencyCap`": () => ({}),
  Vegas: () => ({ cap: new Vegas() }),
  "throughput × latency": () => ({ cap: new ThroughputTimesLatency() }),
  "no cap": () => ({ least: 1_000_000, most: 1_000_000 }),
};

/** What the caps are compared by. */
const COMPARED = [
  "load-2",
  "busy-database",
  "slow-downstream",
  "wide-database",
  "mixed-routes",
] as const;

const CAPS_HEAD = `## Caps compared

The same shedder with other estimators of the work in flight: goodput, and p99 in ms. Vegas is that of Netflix'
concurrency-limits. Throughput × latency, as in BBR-like shedders, takes the highest throughput and the lowest latency of
the last ten seconds. See [decision 20](../decisions/0020-concurrency-cap-by-trials.md).

| | ${Object.keys(CAPS).join(" | ")} |
|---|---|---|---|---|
`;

async function capsTable(): Promise<string> {
  const rows = COMPARED.map(async (name) => {
    const cells = Object.values(CAPS).map((make) => cellOf(TRIALS[name], make));
    return `| ${name} | ${(await Promise.all(cells)).join(" | ")} |`;
  });
  return CAPS_HEAD + (await Promise.all(rows)).join("\n");
}

async function cellOf(trial: Trial, make: () => AdaptiveShedderOptions): Promise<string> {
  const shedder: Scenario["shedder"] = (world) => adaptiveWith(make())(world);
  const { goodput, p99 = 0 } = await figuresOf({
    ...trial,
    scenario: { ...trial.scenario, shedder },
  });
  return `${percent(goodput)}, ${p99.toFixed(0)}`;
}

/** Files of `docs/shedding`, by name. */
export async function sheddingFiles(): Promise<ReadonlyMap<string, string>> {
  const trials = Object.entries<Trial>(TRIALS);
  const files = new Map<string, string>();
  for (const [name, trial] of trials)
    files.set(`${name}.svg`, await chart(trial, await play(trial)));
  const sections = trials.map(([name, trial]) => sectionOf(name, trial));
  const parts = [await trialsTable(), await clientsTable(), await capsTable(), ...sections];
  return files.set("scenarios.md", `${parts.join("\n\n")}\n`);
}

async function trialsTable(): Promise<string> {
  const trials = Object.entries<Trial>(TRIALS).filter(([name]) => !(name in REAL_CLIENTS));
  return HEAD + (await Promise.all(trials.map(([name, trial]) => rowOf(name, trial)))).join("\n");
}

async function rowOf(name: string, trial: Trial): Promise<string> {
  const { goodput, critical, p99 = 0, shed } = await figuresOf(trial);
  return row([link(name, trial), percent(goodput), percent(critical), ms(p99), percent(shed)]);
}

async function clientsTable(): Promise<string> {
  const trials = Object.entries<Trial>(REAL_CLIENTS);
  const rows = trials.map(([name, trial]) => rowBesideControl(name, trial));
  return CLIENTS_HEAD + (await Promise.all(rows)).join("\n");
}

async function rowBesideControl(name: string, trial: Trial): Promise<string> {
  const { goodput, critical, health, p99 = 0, shed } = await figuresOf(trial);
  const control = await figuresOf(withoutShedder(trial));
  const own = [percent(goodput), percent(critical), percent(health), ms(p99), percent(shed)];
  const others = [control.goodput, control.critical, control.health].map(percent);
  return row([link(name, trial), ...own, ...others]);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function link(name: string, { title }: Trial): string {
  return `[${title}](#${name.replaceAll(".", "")})`;
}

function sectionOf(name: string, { about }: Trial): string {
  return `## ${name}\n\n![${about}](${name}.svg)`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
