/**
 * Run as a process of its own: a server, which one its one argument says. It reports its port when it
 * listens, and to each message how much of a processor it has used so far, in microseconds.
 */
import type { AddressInfo } from "node:net";
import type { Limiter, Order } from "./framework.ts";
import { FRAMEWORKS } from "./frameworks/index.ts";

const { framework, limiter, ...place }: Order = JSON.parse(process.argv[2] ?? "{}");
const found = FRAMEWORKS[framework];
const server = await (found?.likened?.[limiter]?.() ?? found?.[limiter as Limiter](place));
server?.listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on("disconnect", () => process.exit());
