/** A real Redis behind the HTTP interface that @upstash/redis speaks. */
import type { RequestListener } from "node:http";
import { json } from "node:stream/consumers";
import type { Redis } from "ioredis";
import { serving } from "./serving.ts";

/** A first line of scripts that Redis 7.0 does not know, and that changes nothing on one server. */
const FLAGS = /^#!lua flags=allow-key-locking\n/;

/** Serves a Redis over HTTP while a function uses it, by its URL. */
export async function overHttp<T>(redis: Redis, use: (url: string) => Promise<T>): Promise<T> {
  const run = async ([name = "", ...args]: readonly string[]) => {
    try {
      const known = args.map((each) => String(each).replace(FLAGS, ""));
      return { result: encoded(await redis.call(name, ...known)) };
    } catch (error) {
      return { error: (error as Error).message };
    }
  };
  const listener: RequestListener = async (request, response) => {
    const body = (await json(request)) as string[] | string[][];
    const isPipeline = Array.isArray(body[0]);
    const answers = isPipeline
      ? await Promise.all((body as string[][]).map(run))
      : await run(body as string[]);
    response.end(JSON.stringify(answers));
  };
  return serving(listener, use);
}

/** Texts are Base64, as its client asks for. */
function encoded(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(encoded);
  return typeof reply === "string" ? Buffer.from(reply).toString("base64") : reply;
}
