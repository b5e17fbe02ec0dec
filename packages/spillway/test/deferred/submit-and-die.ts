/** A process that dies after it has reserved, and before it has queued. */
import type { NewJob } from "../../src/deferred/index.ts";
import { Deferred } from "../../src/deferred/index.ts";
import { open } from "./places.ts";
import type { Errand } from "./worker-process.ts";

const { place, limit, id } = JSON.parse(process.argv[2] ?? "") as Errand & { id: string };
const { limiter, queue } = await open(place, limit);
queue.add = async (_: NewJob) => {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
};
await new Deferred({ limiter, limit: "mailing", queue }).submit({ ms: 0 }, { id });
