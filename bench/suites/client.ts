/** What ten clients that want five times what is allowed send to four servers, kind by kind. */
import { Child } from "../child.ts";
import { type Ask, CONTENDERS } from "../client/contenders.ts";
import { hasNginx, startNginx } from "../client/nginx.ts";
import {
  CLIENTS,
  LASTING,
  LEARNT,
  RATE,
  SERVERS,
  type Seen,
  type ServerName,
  TIMES,
} from "../client/setting.ts";
import type { Group, SelectiveSuite } from "./suite.ts";

type Result = { readonly used: number; readonly refused: number; readonly peak: number };
type Results = { readonly [S in ServerName]?: Result };

export const client: SelectiveSuite = async ({ progress, only }) => {
  const chosen = only.of(Object.keys(CONTENDERS), (name) => name);
  if (!hasNginx()) progress("no nginx in the path: its rows are left out");
  const results = new Map<string, Results>();
  for (const name of chosen) {
    results.set(name, await trial(CONTENDERS[name] as () => Ask));
    progress(`${name}: ${describe(results.get(name) as Results)}`);
  }
  const groups = SERVERS.flatMap((server) => groupsOf(server, results));
  return { groups, text: overview(results) };
};

/** All servers at once, new for each kind of client. */
async function trial(make: () => Ask): Promise<Results> {
  await using resources = new AsyncDisposableStack();
  const child = resources.use(new Child(new URL("../client/servers.ts", import.meta.url)));
  const ports = (await child.message()) as { [name: string]: number };
  const nginx = hasNginx() ? resources.use(await startNginx()) : undefined;
  if (nginx !== undefined) ports.nginx = nginx.port;
  const began = Date.now();
  await load(Object.values(ports), make);
  child.process.send({});
  const seen = (await child.message()) as { [name: string]: readonly Seen[] };
  if (nginx !== undefined) seen.nginx = await nginx.seen();
  return Object.fromEntries(
    Object.entries(seen).map(([name, list]) => [name, resultOf(list, began)]),
  );
}

/** Each client asks each server at random instants, and takes what it gets. */
async function load(ports: readonly number[], make: () => Ask): Promise<void> {
  const timers = Array.from({ length: CLIENTS }, make).flatMap((ask) =>
    ports.map((port) => asking(() => ask(`http://127.0.0.1:${port}/`))),
  );
  await new Promise((done) => setTimeout(done, LASTING));
  for (const timer of timers) clearInterval(timer);
}

/** Milliseconds between two requests of one client to one server, on average. */
const GAP = (1000 * CLIENTS) / (RATE * TIMES);
/** The most requests that are made up for at once, after the event loop stood still. */
const MOST_AT_ONCE = 10;

function asking(ask: () => Promise<unknown>): NodeJS.Timeout {
  let due = Date.now() + GAP * Math.random();
  return setInterval(() => {
    const now = Date.now();
    for (let left = MOST_AT_ONCE; due <= now && left > 0; left--) {
      due += GAP * 2 * Math.random();
      ask().catch(() => {});
    }
    // What is missed by more than that would be a burst that no client sends.
    if (due <= now) due = now + GAP * Math.random();
  }, 5);
}

function resultOf(list: readonly Seen[], began: number): Result {
  const counted = list.filter(({ at }) => at >= began + LEARNT && at < began + LASTING);
  const ok = counted.filter(({ status }) => status === 200).length;
  const seconds = (LASTING - LEARNT) / 1000;
  const perSecond = Array.from(
    { length: seconds },
    (_, second) =>
      counted.filter(({ at }) => Math.floor((at - began - LEARNT) / 1000) === second).length,
  );
  return {
    used: round((100 * ok) / (RATE * seconds)),
    refused: round((100 * (counted.length - ok)) / Math.max(1, counted.length)),
    peak: round(Math.max(...perSecond) / RATE),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function describe(results: Results): string {
  return Object.entries(results)
    .map(([name, { used, refused, peak }]) => `${name} ${used} % / ${refused} % / ${peak}`)
    .join(", ");
}

/** A line for each kind of client; ratios of shares say little. */
function overview(results: ReadonlyMap<string, Results>): string {
  const heads = ["used / refused / busiest second", ...SERVERS];
  const lines = [...results].map(([name, each]) => [
    name,
    ...SERVERS.map((server) => cell(each[server])),
  ]);
  const rows = [heads, heads.map(() => "---"), ...lines];
  return rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function cell(result: Result | undefined): string {
  if (result === undefined) return "-";
  const { used, refused, peak } = result;
  return `${used.toFixed(0)} % / ${refused.toFixed(1)} % / ${peak.toFixed(1)}×`;
}

const COLUMNS = {
  used: ["of what is allowed is used", "%"],
  refused: ["of what is sent is refused", "%"],
  peak: ["in the busiest second", "times the allowed rate"],
} as const;

function groupsOf(server: ServerName, results: ReadonlyMap<string, Results>): readonly Group[] {
  return (Object.keys(COLUMNS) as (keyof Result)[]).map((column) => {
    const [what, unit] = COLUMNS[column];
    const rows = [...results].flatMap(([name, { [server]: result }]) =>
      result === undefined
        ? []
        : [{ name: `${server}: ${name}, ${what}`, value: result[column], unit }],
    );
    return { title: `${server}: ${what}`, rows };
  });
}
