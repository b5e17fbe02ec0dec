/** What ten clients that want five times what is allowed send to four servers, kind by kind; and one in situations. */
import { Child } from "../child.ts";
import { CONTENDERS } from "../client/contenders.ts";
import type { Shares, Situation } from "../client/life/situation.ts";
import { SITUATIONS } from "../client/life/situations.ts";
import { groups as lifeGroups, lines, text } from "../client/life/table.ts";
import { trial as life } from "../client/life/trial.ts";
import { hasNginx, startLimitingNginx } from "../client/nginx.ts";
import {
  BACK,
  CLIENTS,
  LASTING,
  LEARNT,
  MEASURED,
  type Message,
  RATE,
  type Report,
  SERVERS,
  type Seen,
  type ServerName,
} from "../client/setting.ts";
import type { Group, Outcome, Progress, SelectiveSuite } from "./suite.ts";

type Result = { readonly used: number; readonly refused: number; readonly peak: number };
type Results = { readonly [S in ServerName]?: Result };
/** What came of one kind, and how busy that kept the servers on Node: clients are to be seen, not these. */
type Trial = { readonly results: Results; readonly busy: number };

export const client: SelectiveSuite = async ({ progress, only }) => {
  const chosen = only.of([...Object.keys(CONTENDERS), ...SITUATIONS], nameOf);
  const crowd = await crowds(
    chosen.filter((one) => typeof one === "string"),
    progress,
  );
  const life = await lives(
    chosen.filter((one) => typeof one !== "string"),
    progress,
  );
  const texts = [crowd, life].flatMap(({ text }) => text ?? []);
  return { groups: [...crowd.groups, ...life.groups], text: texts.join("\n\n") };
};

function nameOf(one: string | Situation): string {
  return typeof one === "string" ? one : one.name;
}

/** Situations of one client, one after the other. */
async function lives(chosen: readonly Situation[], progress: Progress): Promise<Outcome> {
  if (chosen.length === 0) return { groups: [] };
  const trials = new Map<Situation, ReadonlyMap<string, Shares>>();
  for (const situation of chosen) {
    const shares = await life(situation);
    trials.set(situation, shares);
    for (const [kind, one] of shares) progress(`${situation.name}: ${kind}: ${text(one)}`);
  }
  return { groups: lifeGroups(trials), text: lines(trials) };
}

async function crowds(chosen: readonly string[], progress: Progress): Promise<Outcome> {
  if (chosen.length === 0) return { groups: [] };
  if (!hasNginx())
    progress("no nginx in the path: its rows are left out (Debian: apt install nginx-light)");
  const results = new Map<string, Trial>();
  for (const name of chosen) {
    results.set(name, await trial(name));
    progress(`${name}: ${describe(results.get(name) as Trial)}`);
  }
  const groups = SERVERS.flatMap((server) => groupsOf(server, results));
  return { groups, text: overview(results) };
}

/** All servers at once, new for each kind of client. */
async function trial(kind: string): Promise<Trial> {
  await using resources = new AsyncDisposableStack();
  const servers = resources.use(new Child(new URL("../client/servers.ts", import.meta.url)));
  const ports = (await servers.message()) as { [name: string]: number };
  const nginx = hasNginx() ? resources.use(await startLimitingNginx()) : undefined;
  if (nginx !== undefined) ports.nginx = nginx.port;
  const clients = await started(kind, resources);
  const began = Date.now();
  const until = (ms: number) => new Promise((done) => setTimeout(done, began + ms - Date.now()));
  for (const { process } of clients) process.send(Object.values(ports));
  const send = (message: Message) => servers.process.send(message);
  await until(LEARNT);
  send("measured");
  await until(MEASURED);
  send("down");
  await nginx?.goDown();
  await until(BACK);
  send("up");
  await nginx?.comeBack();
  await until(LASTING);
  send("report");
  const { seen, busy } = (await servers.message()) as Report;
  const all = nginx === undefined ? seen : { ...seen, nginx: await nginx.seen() };
  const results = Object.entries(all).map(([name, list]) => [name, resultOf(list, began)]);
  return { results: Object.fromEntries(results), busy };
}

/** A process for each client. */
async function started(kind: string, resources: AsyncDisposableStack): Promise<readonly Child[]> {
  const file = new URL("../client/client.ts", import.meta.url);
  const clients = Array.from({ length: CLIENTS }, () => resources.use(new Child(file, [kind])));
  for (const client of clients) await client.message();
  return clients;
}

function resultOf(list: readonly Seen[], began: number): Result {
  const between = (from: number, to: number) =>
    list.filter(({ at }) => at >= began + from && at < began + to);
  const counted = between(LEARNT, MEASURED);
  const ok = counted.filter(({ status }) => status === 200).length;
  const seconds = Array.from({ length: (LASTING - BACK) / 1000 }, (_, second) =>
    between(BACK + second * 1000, BACK + second * 1000 + 1000),
  );
  return {
    used: round((100 * ok * 1000) / (RATE * (MEASURED - LEARNT))),
    refused: round((100 * (counted.length - ok)) / Math.max(1, counted.length)),
    peak: round(Math.max(...seconds.map(({ length }) => length)) / RATE),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function describe({ results, busy }: Trial): string {
  const all = Object.entries(results).map(
    ([name, { used, refused, peak }]) => `${name} ${used} % / ${refused} % / ${peak}`,
  );
  return [...all, `servers busy for ${round(busy)} of the time`].join(", ");
}

/** A line for each kind of client; ratios of shares say little. */
function overview(trials: ReadonlyMap<string, Trial>): string {
  const heads = ["used / refused / busiest second after an outage", ...SERVERS, "servers busy"];
  const lines = [...trials].map(([name, { results, busy }]) => [
    name,
    ...SERVERS.map((server) => cell(results[server])),
    `${Math.round(100 * busy)} %`,
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
  peak: ["in the busiest second after an outage", "times the allowed rate"],
} as const;

function groupsOf(server: ServerName, trials: ReadonlyMap<string, Trial>): readonly Group[] {
  return (Object.keys(COLUMNS) as (keyof Result)[]).map((column) => {
    const [what, unit] = COLUMNS[column];
    const rows = [...trials].flatMap(([name, { results }]) => {
      const result = results[server];
      return result === undefined
        ? []
        : [{ name: `${server}: ${name}, ${what}`, value: result[column], unit }];
    });
    return { title: `${server}: ${what}`, rows };
  });
}
