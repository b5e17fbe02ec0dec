/** How much later requests are answered where nginx asks the service first. */
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAskingNginx } from "../asking/nginx.ts";
import { Child } from "../child.ts";
import { hasNginx } from "../nginx.ts";
import { RULES } from "../proxy/process.ts";
import { checkH2load, MissingProgram, shoot } from "../rls/h2load.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import { ServiceProcess } from "../service/command.ts";
import { installed } from "../service/installed.ts";
import type { Suite } from "./suite.ts";

const ROUNDS = 7;
const CONNECTIONS = 32;
/** Seconds of a round, at the rate that is measured. */
const SECONDS = 3;
const WARM_UP = 20_000;
/** Of the requests a second that are answered where nginx asks. */
const LOAD = 0.5;

const PROGRAM = new URL("../proxy/server.ts", import.meta.url);

type Times = { readonly p50: number; readonly p99: number };

/** @throws MissingProgram */
export const asking: Suite = async (progress) => {
  checkH2load();
  if (!hasNginx()) throw new MissingProgram("this suite needs nginx on the PATH: install nginx");
  await using servers = new AsyncDisposableStack();
  const program = servers.use(new Child(PROGRAM, ["upstream"]));
  const service = await startService(servers);
  const upstreams = { program: Number(await program.message()), service };
  const { port } = servers.use(await startAskingNginx(upstreams));
  const base = `http://127.0.0.1:${port}`;
  const rate = Math.round(LOAD * (await speedOf(`${base}/asked`)));
  progress(`half of the load is ${rate} requests a second`);
  const contestants = [
    contestant("nginx that asks", `${base}/asked`, rate),
    contestant("nginx alone", `${base}/bare`, rate),
  ];
  const title = "answered after µs, half of them / 99 %";
  const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
  const at = `${rate} requests a second on ${CONNECTIONS} connections`;
  return [
    groupOf(`${at}: median`, measured, { figure: "p50", unit: "µs", suffix: " p50" }),
    groupOf(`${at}: 99 %`, measured, { figure: "p99", unit: "µs", suffix: " p99" }),
  ];
};

/** Starts the service as it is installed, and returns its port. */
async function startService(servers: AsyncDisposableStack): Promise<number> {
  const folder = servers.use(await mkdtempDisposable(join(tmpdir(), "spillway-bench-")));
  const rules = join(folder.path, "rules.yaml");
  await writeFile(rules, RULES);
  const { bin } = servers.use(await installed());
  return servers.use(await ServiceProcess.start([rules], { bin })).port;
}

const GET = { headers: [], isHttp1: true } as const;
const LOADED = { connections: CONNECTIONS, streams: 1 } as const;

/** Returns how many requests a second are answered at most. */
async function speedOf(url: string): Promise<number> {
  await shoot({ url, ...GET }, { ...LOADED, requests: WARM_UP });
  return (await shoot({ url, ...GET }, { ...LOADED, requests: WARM_UP })).speed;
}

function contestant(name: string, url: string, rate: number): Contestant<Times> {
  const load = { ...LOADED, requests: rate * SECONDS, rate };
  const measure = async () => {
    const { p50, p99 } = await shoot({ url, ...GET }, load);
    return { p50, p99 };
  };
  return { name, measure };
}
