/** `/json` and `/v1/limit`, each beside a bare Fastify that answers the same bytes. */
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Part } from "../scale/part.ts";
import type { Echo } from "../service/echo.ts";
import type { Group, Progress } from "../suites/suite.ts";
import { COLUMNS } from "./figures.ts";
import { type Load, type Seen, shoot } from "./h2load.ts";
import { Means } from "./means.ts";
import { JSON_BODY, JSON_HEADERS } from "./question.ts";

const LOAD: Load = { connections: 64, streams: 1, requests: 15_000 };
const ROUNDS = 7;

export const http: Part = {
  name: "HTTP",
  async measure(progress: Progress) {
    const groups: Group[] = [];
    for (const path of ["/v1/limit", "/json"]) groups.push(await measureAt(path, progress));
    return groups;
  },
};

async function measureAt(path: string, progress: Progress): Promise<Group> {
  await using means = new Means();
  const { port } = await means.service(["--store", "memory"]);
  const body = means.file("request", JSON_BODY);
  const contestant = (name: string, port: number): Contestant<Seen> => {
    const url = `http://127.0.0.1:${port}${path}`;
    const shot = { url, body, headers: JSON_HEADERS, isHttp1: true };
    return { name, measure: () => shoot(shot, LOAD) };
  };
  const echo = await means.child("../service/echo.ts", JSON.stringify(await echoOf(port, path)));
  const measured = await interleave(
    [contestant(`spillway ${path}`, port), contestant(`bare Fastify echo ${path}`, echo)],
    { title: `POST ${path}, requests a second / µs p50 / p99`, rounds: ROUNDS, progress },
  );
  return groupOf(`POST ${path} on 64 connections`, measured, COLUMNS.speed);
}

/** What the service answers, for another to answer as well. */
async function echoOf(port: number, path: string): Promise<Echo> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON_BODY,
  });
  return { body: await answer.text(), contentType: answer.headers.get("content-type") ?? "", path };
}
