/** Scenarios through `/json`. */
import type { FastifyInstance } from "fastify";
import { createServer } from "../../../src/index.ts";
import type { Answer, Asked, Send, Stage } from "./scenario.ts";

/** A server for a stage, and how to send to it. */
export async function overJson({
  service,
  envoy,
}: Stage): Promise<{ send: Send; close: () => Promise<void> }> {
  const app = await createServer({ service, envoy, quiet: 0 });
  return { send: (request) => sendJson(app, request), close: () => app.close() };
}

async function sendJson(app: FastifyInstance, request: Asked): Promise<Answer> {
  const payload = JSON.stringify({
    ...request,
    descriptors: request.descriptors.map(({ entries, ...others }) => ({
      ...others,
      entries: entries.map(([key, value]) => ({ key, value })),
    })),
  });
  const headers = { host: "localhost" };
  const reply = await app.inject({ method: "POST", url: "/json", payload, headers });
  const body = reply.json();
  return "overallCode" in body ? { body } : { error: body.detail };
}
