/** Run as a process of its own: an HTTP server behind one contender; tells its port. */
import { fastify } from "fastify";
import { PATH } from "./answer.ts";
import { load } from "./contenders/index.ts";
import { type Effort, work } from "./work.ts";

/** What it is started with, as JSON in its one argument. */
export type ServerSettings = { readonly contender: string; readonly effort: Effort };

const settings: ServerSettings = JSON.parse(process.argv[2] ?? "{}");
const contender = await load(settings.contender);
const app = fastify();
// Outside of what is guarded: whoever asks whether the server lives gets an answer.
app.get("/health", () => ({ healthy: true }));
await app.register(async (scope) => {
  const handle = await contender.open(scope, async () => ({ hash: await work(settings.effort) }));
  scope.get(PATH, handle);
});
const address = await app.listen({ port: 0, host: "127.0.0.1" });
process.send?.(Number(new URL(address).port));
process.on("disconnect", () => process.exit());
