/** Run as a process of its own: the server of a situation. Reports its port, and to each message what it has seen. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { seededRandom } from "spillway/testing";
import type { Server } from "../../../packages/spillway/test/servers/life/models.ts";
import type { SeenRequest } from "./situation.ts";
import { SITUATIONS } from "./situations.ts";

const [name, lasting] = process.argv.slice(2);
const situation = SITUATIONS.find((one) => one.name === name);
if (situation === undefined) throw new Error(`there is no situation ${name}`);

const random = seededRandom(1);
const seen: (Omit<SeenRequest, "url"> & { url: string })[] = [];
let began = Date.now();
let decide: Server = () => ({ status: 503 });

const server = createServer((request, response) => {
  request.resume().once("end", () => answer(request, response));
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const at = Date.now() - began;
  const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
  const headers = new Headers(request.headers as { [name: string]: string });
  const {
    status,
    headers: says,
    takes = 0,
    body = "{}",
    over,
  } = decide({ at, url, headers, random });
  seen.push({ at, status, url: url.href, cost: Number(headers.get("x-actual") ?? 1) });
  const timer = setTimeout(() => response.writeHead(status, says).end(body), takes);
  response.once("close", () => {
    clearTimeout(timer);
    over?.();
  });
}

process.on("disconnect", () => process.exit());
process.on("message", (message: { readonly began: number } | "report") => {
  if (message === "report") process.send?.(seen);
  else began = message.began;
});
// All addresses of this machine: situations that redirect lead to another name of it.
server.listen(0, () => {
  const { port } = server.address() as AddressInfo;
  decide = situation.server({ lasting: Number(lasting), port });
  process.send?.(port);
});
