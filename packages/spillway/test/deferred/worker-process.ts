/** A worker in a process of its own: does jobs until it is killed, or told to end. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LeakyBucket } from "../../src/index.ts";
import { open, type Place } from "./places.ts";

export type Errand = { readonly place: Place; readonly limit: LeakyBucket };

const { place, limit } = JSON.parse(process.argv[2] ?? "") as Errand;
const { mailing, write, close } = await open(place, limit);
const failed = new Map<string, number>();
const worker = mailing.work(async ({ id, data }) => {
  const begun = performance.now();
  await write({ id, what: "start" }).catch((error: unknown) => {
    console.log(`broken ${id}`);
    throw error;
  });
  // How late the line of the book may be, at most.
  console.log(`start ${id} ${performance.now() - begun}`);
  await sleep(data.ms);
  await write({ id, what: "end" }).catch((error: unknown) => {
    console.log(`broken ${id}`);
    throw error;
  });
  const failures = failed.get(id) ?? 0;
  failed.set(id, failures + 1);
  if (failures < (data.fails ?? 0)) throw new Error("not yet");
  console.log(`end ${id}`);
});
console.log("ready");
process.stdin.once("data", async () => {
  await worker.close();
  await close();
  process.exit();
});
