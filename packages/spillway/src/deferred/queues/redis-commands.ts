/** The commands of Redis that a queue needs beside BullMQ's own, over the caller's client. */
import { SpillwayError } from "../../core/index.ts";

export type RedisCommands = {
  /** Milliseconds since 1970, by the server's clock. */
  time(): Promise<number>;
  get(key: string): Promise<string | undefined>;
  /** Sets what is not there yet, for so many milliseconds. False where something is. */
  setOnce(key: string, value: string, ms: number): Promise<boolean>;
};

type Send = (...parts: string[]) => Promise<unknown>;

/** @throws SpillwayError `bad-client` */
export function redisCommands(client: object): RedisCommands {
  const send = sendOf(client);
  return {
    async time() {
      const [seconds, micros] = (await send("TIME")) as [string | number, string | number];
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    },
    async get(key) {
      const value = await send("GET", key);
      return value === null || value === undefined ? undefined : String(value);
    },
    async setOnce(key, value, ms) {
      return (await send("SET", key, value, "NX", "PX", String(Math.ceil(ms)))) !== null;
    },
  };
}

function sendOf(client: object): Send {
  const { call, sendCommand } = (client ?? {}) as {
    call?: (...parts: string[]) => Promise<unknown>;
    sendCommand?: (parts: string[]) => Promise<unknown>;
  };
  // ioredis has both; its `sendCommand` takes something else.
  if (typeof call === "function") return (...parts) => call.apply(client, parts);
  if (typeof sendCommand === "function") return (...parts) => sendCommand.call(client, parts);
  throw new SpillwayError({
    code: "bad-client",
    field: "redis",
    value: client,
    expected: "a client of ioredis or node-redis",
  });
}
