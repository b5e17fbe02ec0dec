import type { Opened } from "../../../faults/clients/opened.ts";
import type { Target } from "./target.ts";

/** The client library. */
export type Make = "ioredis" | "node-redis" | "valkey-glide";

/** A client that is to be opened. */
export type Client = { readonly make: Make; readonly target: Target };

/** Makes a real client, with the settings that it comes with where these will do. Loads its library alone. */
export async function openClient({ make, target }: Client): Promise<Opened> {
  if (make === "ioredis") return (await import("./over-ioredis.ts")).overIoRedis(target);
  if (make === "node-redis") return (await import("./over-node-redis.ts")).overNodeRedis(target);
  return (await import("./over-glide.ts")).overGlide(target);
}
