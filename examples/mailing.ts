/**
 * A mailing: ten letters a second, and at most four wait or leave. A client is answered 202, asks how its letters are,
 * and cancels one; when the line is full it is refused.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { RateLimiter } from "spillway";
import * as later from "spillway/deferred";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";

// Leave the clock out in an app: it is here so that the story can let time go by.
const clock = manualClock();
const limiter = new RateLimiter(
  { mailing: { kind: "leaky bucket", rate: 10, period: "1s", capacity: 4 } },
  { store: memoryStore({ clock }) },
);
const queue = later.memoryQueue({ clock }); // or bullmqQueue(…), pgBossQueue(…)
const mailing = new later.Deferred<{ to: string }>({ limiter, limit: "mailing", queue });

/** What a request is answered. */
async function answer(request: IncomingMessage): Promise<later.HttpAnswer> {
  const id = request.url?.split("/")[2] ?? "";
  if (request.method === "GET") return later.jobAnswer(await mailing.find(id));
  if (request.method === "DELETE") return later.cancelAnswer(await mailing.cancel(id));
  // The same letter, asked for twice, is one.
  const letter = (await json(request)) as { to: string };
  const submission = await mailing.submit(letter, { id: later.jobId("ada", letter.to) });
  return later.submissionAnswer(submission, { location: (id) => `/letters/${id}` });
}

const server = createServer(async (request, response) => {
  const made = await answer(request).catch(later.failureAnswer);
  response.writeHead(made?.status ?? 500, made?.headers).end(made?.body);
});

export async function story(): Promise<string[]> {
  const sent: string[] = [];
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (to: string) => fetch(url, { method: "POST", body: JSON.stringify({ to }) });
  const [names, responses] = [["grace", "alan", "mary", "grace", "john", "kurt"], [] as Response[]];
  for (const name of names) responses.push(await post(name));
  const lines = [responses.map(({ status }, n) => `${names[n]} ${status}`).join(", ")];
  const where = responses.map(({ headers }) => url + headers.get("Location"));
  lines.push(`alan, cancelled: ${(await fetch(where[1] ?? "", { method: "DELETE" })).status}`);
  lines.push(`kurt, once more: ${(await post("kurt")).status}`);
  const worker = mailing.work(({ data }) => sent.push(data.to));
  const state = async (job = "") => ((await (await fetch(job)).json()) as later.Job).state;
  for (; sent.length < 4; clock.advance(100)) await state(where[0]);
  // Of letters that come late, any may be the first to go.
  lines.push(`sent: ${sent.sort().join(", ")}`, `alan's: ${await state(where[1])}`);
  server.close().closeAllConnections();
  return worker.close().then(() => lines);
}

if (import.meta.main) console.log((await story()).join("\n"));
