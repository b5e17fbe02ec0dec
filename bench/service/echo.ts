/**
 * Run as a process of its own: a bare Fastify that reads what the service reads, and answers the
 * bytes that it is started with. It reports its port when it listens.
 */
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { PATH } from "./question.ts";

/** What it is started with, as JSON in its one argument. */
export type Echo = {
  /** The body of every answer. */
  readonly body: string;
  readonly contentType: string;
  /** Default: that of the suite `service`. */
  readonly path?: string;
};

const { body, contentType, path = PATH }: Echo = JSON.parse(process.argv[2] ?? "{}");
const app = fastify();
app.post(path, async (_request, reply) => {
  reply.header("content-type", contentType);
  return body;
});
await app.listen({ host: "127.0.0.1", port: 0 });
process.send?.((app.server.address() as AddressInfo).port);
process.on("disconnect", () => process.exit());
