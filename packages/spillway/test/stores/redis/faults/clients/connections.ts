import type { Opened } from "../../../faults/clients/opened.ts";

/** Who connects. Default: whoever servers let in without a name. */
export type User = { readonly username?: string; readonly password?: string };

/** Where a client connects to; ports are of this machine. */
export type Target =
  | (User & {
      readonly sort: "server";
      readonly port: number;
      /** Milliseconds of silence after which a client gives a connection up. Default: never. */
      readonly silence?: number;
    })
  | (User & { readonly sort: "cluster"; readonly ports: readonly number[] })
  | { readonly sort: "sentinel"; readonly ports: readonly number[]; readonly name: string };

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
