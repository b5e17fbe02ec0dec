/** A response that stays open: server-sent events for ten seconds. */
import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import { setTimeout } from "node:timers/promises";
import type { Admission } from "spillway/shedding";

export type Response = ServerResponse | Http2ServerResponse;

/** Events of one response, a second apart. */
const EVENTS = 10;

/** Sends them all. */
export async function stream(response: Response): Promise<void> {
  response.setHeader("content-type", "text/event-stream");
  const body: NodeJS.WritableStream = response;
  for (let event = 0; event < EVENTS; event++) {
    body.write(`data: ${event}\n\n`);
    await setTimeout(1000);
  }
  response.end();
}

/**
 * Lets the shedder know that the response stays open, before its first byte: how long it is open
 * says nothing about the load. This is the one place where the bench does so.
 */
export function announce(admission: Admission): void {
  admission.done("streaming");
}
