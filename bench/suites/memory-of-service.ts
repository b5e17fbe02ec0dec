/** Resident memory of the service: at rest, under gRPC load, and when the load is over. */
import { setTimeout as wait } from "node:timers/promises";
import { Child } from "../child.ts";
import { askOnce } from "../rls/ask.ts";
import { checkH2load, type Load, shoot } from "../rls/h2load.ts";
import { Means } from "../rls/means.ts";
import { GRPC, GRPC_HEADERS, METHOD, RULES } from "../rls/question.ts";
import { mostResident, residentMib } from "../rls/resident.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import { ServiceProcess } from "../service/command.ts";
import { installed } from "../service/installed.ts";
import type { Suite } from "./suite.ts";

const LOAD: Load = { connections: 4, streams: 32, requests: 60_000 };
const ROUNDS = 3;
/** Milliseconds from the first answer, and from the end of the load, to a reading. */
const PAUSES = { rest: 1000, after: 6000 };
/** What `docs/service/deploy.md` names for hosts with little memory. */
const SMALL = ["--max-semi-space-size=4", "--max-semi-space-size=2"] as const;

/** A process that answers gRPC. */
type Answering = { readonly pid: number; readonly port: number };
/** MiB, but for the speed. */
type Seen = {
  readonly rest: number;
  readonly load: number;
  readonly after: number;
  readonly speed: number;
};

const COLUMNS = [
  { title: "at rest", figure: "rest", suffix: " at rest", unit: "MiB" },
  { title: "under load", figure: "load", suffix: " under load", unit: "MiB" },
  { title: "six seconds after", figure: "after", suffix: " after", unit: "MiB" },
  { title: "meanwhile", figure: "speed", unit: "requests a second" },
] as const;

export const memoryOfService: Suite = async (progress) => {
  checkH2load();
  await using means = new Means();
  const { bin } = means.resources.use(await installed());
  const body = means.file("request", GRPC);
  const rules = means.file("rules.yaml", RULES);
  const contestant = (name: string, nodeOptions?: string): Contestant<Seen> => ({
    name,
    async measure() {
      const options = { bin, ...(nodeOptions && { nodeOptions }) };
      await using service = await ServiceProcess.start([rules, "--store", "memory"], options);
      return await watch({ pid: service.pid, port: service.grpcPort }, body);
    },
  });
  const contestants = [
    contestant("spillway serve"),
    ...SMALL.map((option) => contestant(`spillway serve ${option}`, option)),
    { name: "bare http2 echo", measure: () => watchEcho(body) },
  ];
  const title = "MiB at rest / under load / six seconds after / requests a second";
  const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
  return COLUMNS.map(({ title, ...column }) =>
    groupOf(`gRPC, 4 connections of 32 streams: ${title}`, measured, column),
  );
};

/** Each is measured from its start: what a load leaves behind is not what a start costs. */
async function watch({ pid, port }: Answering, body: string): Promise<Seen> {
  await askOnce(port);
  await wait(PAUSES.rest);
  const rest = residentMib(pid);
  const url = `http://127.0.0.1:${port}${METHOD}`;
  const shot = { url, body, headers: GRPC_HEADERS, isHttp1: false };
  const [{ speed }, load] = await mostResident(pid, shoot(shot, LOAD));
  await wait(PAUSES.after);
  return { rest, load, after: residentMib(pid), speed };
}

async function watchEcho(body: string): Promise<Seen> {
  await using child = new Child(new URL("../rls/echo-http2.ts", import.meta.url), [""]);
  const port = (await child.message()) as number;
  return await watch({ pid: child.process.pid ?? 0, port }, body);
}
