/** gRPC on each store, beside servers that decide nothing. */
import { join } from "node:path";
import { startRedis } from "../../packages/spillway/test/servers/redis-node.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Part } from "../scale/part.ts";
import type { Progress } from "../suites/suite.ts";
import { askOnce } from "./ask.ts";
import { COLUMNS } from "./figures.ts";
import { type Load, type Seen, shoot } from "./h2load.ts";
import { Means } from "./means.ts";
import { GRPC, GRPC_HEADERS, METHOD } from "./question.ts";

const LOAD: Load = { connections: 4, streams: 32, requests: 15_000 };
const STEADY: Load = { connections: 4, streams: 32, requests: 5000, rate: 5000 };
const ROUNDS = 5;
const STEADY_ROUNDS = 2;

type Contender = { readonly name: string; readonly port: number };

export const grpc: Part = {
  name: "gRPC",
  async measure(progress: Progress) {
    await using means = new Means();
    const contenders = await startAll(means);
    const body = means.file("request", GRPC);
    const measured = (load: Load) => (contender: Contender) => contestant(contender, body, load);
    const fast = await interleave(contenders.map(measured(LOAD)), {
      title: "gRPC, requests a second / µs p50 / p99",
      rounds: ROUNDS,
      progress,
    });
    const steady = await interleave(contenders.map(measured(STEADY)), {
      title: "gRPC at 5000 a second, requests a second / µs p50 / p99",
      rounds: STEADY_ROUNDS,
      progress,
    });
    return [
      groupOf("gRPC, 4 connections of 32 streams", fast, COLUMNS.speed),
      groupOf("gRPC at 5000 a second: median", steady, COLUMNS.p50),
      groupOf("gRPC at 5000 a second: 99 %", steady, COLUMNS.p99),
    ];
  },
};

function contestant({ name, port }: Contender, body: string, load: Load): Contestant<Seen> {
  const url = `http://127.0.0.1:${port}${METHOD}`;
  const shot = { url, body, headers: GRPC_HEADERS, isHttp1: false };
  return { name, measure: () => shoot(shot, load) };
}

async function startAll(means: Means): Promise<readonly Contender[]> {
  const redis = means.resources.use(await startRedis());
  const file = `sqlite:${join(means.directory, "limits.db")}`;
  const stores: readonly (readonly [string, readonly string[]])[] = [
    ["spillway memory", ["--store", "memory"]],
    ["spillway redis", ["--store", redis.url]],
    ["spillway redis 2 workers", ["--store", redis.url, "--workers", "2"]],
    ["spillway sqlite", ["--store", file]],
  ];
  const contenders: Contender[] = [];
  for (const [name, args] of stores) {
    const { grpcPort } = await means.service(args);
    contenders.push({ name, port: grpcPort });
  }
  // They send what the service does.
  const answer = (await askOnce(contenders[0]?.port ?? 0)).toString("base64");
  const http2 = await means.child("./echo-http2.ts", answer);
  const grpcJs = await means.child("./echo-grpc-js.ts", answer);
  contenders.push({ name: "bare http2 echo", port: http2 });
  contenders.push({ name: "bare grpc-js echo", port: grpcJs });
  return contenders;
}
