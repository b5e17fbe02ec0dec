/** What ten clients that want five times what is allowed send to four servers, kind by kind. */
import { Child } from "../child.ts";
import { CONTENDERS } from "../client/contenders.ts";
import { hasNginx, startNginx } from "../client/nginx.ts";
import {
  BACK,
  CLIENTS,
  LASTING,
  LEARNT,
  MEASURED,
  type Message,
  RATE,
  SERVERS,
  type Seen,
  type ServerName,
} from "../client/setting.ts";
import type { Group, SelectiveSuite } from "./suite.ts";

type Result = { readonly used: number; readonly refused: number; readonly peak: number };
type Results = { readonly [S in ServerName]?: Result };

export const client: SelectiveSuite = async ({ progress, only }) => {
  const chosen = only.of(Object.keys(CONTENDERS), (name) => name);
  if (!hasNginx())
    progress("no nginx in the path: its rows are left out (Debian: apt install nginx-light)");
  const results = new Map<string, Results>();
  for (const name of chosen) {
    results.set(name, await trial(name));
    progress(`${name}: ${describe(results.get(name) as Results)}`);
  }
  const groups = SERVERS.flatMap((server) => groupsOf(server, results));
  return { groups, text: overview(results) };
};

/** All servers at once, new for each kind of client. */
async function trial(kind: string): Promise<Results> {
  await using resources = new AsyncDisposableStack();
  const servers = resources.use(new Child(new URL("../client/servers.ts", import.meta.url)));
  const ports = (await servers.message()) as { [name: string]: number };
  const nginx = hasNginx() ? resources.use(await startNginx()) : undefined;
  if (nginx !== undefined) ports.nginx = nginx.port;
  const clients = await started(kind, resources);
  const began = Date.now();
  const until = (ms: number) => new Promise((done) => setTimeout(done, began + ms - Date.now()));
  for (const { process } of clients) process.send(Object.values(ports));
  const send = (message: Message) => servers.process.send(message);
  await until(MEASURED);
  send("down");
  await nginx?.goDown();
  await until(BACK);
  send("up");
  await nginx?.comeBack();
  await until(LASTING);
  send("report");
  const seen = (await servers.message()) as { [name: string]: readonly Seen[] };
  if (nginx !== undefined) seen.nginx = await nginx.seen();
  return Object.fromEntries(
    Object.entries(seen).map(([name, list]) => [name, resultOf(list, began)]),
  );
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

function describe(results: Results): string {
  return Object.entries(results)
    .map(([name, { used, refused, peak }]) => `${name} ${used} % / ${refused} % / ${peak}`)
    .join(", ");
}

/** A line for each kind of client; ratios of shares say little. */
function overview(results: ReadonlyMap<string, Results>): string {
  const heads = ["used / refused / busiest second after an outage", ...SERVERS];
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
  peak: ["in the busiest second after an outage", "times the allowed rate"],
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
