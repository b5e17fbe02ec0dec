/** `/v1/log`: changes what is logged while the service runs. */
import type { FastifyInstance } from "fastify";
import type { Admit } from "../access.ts";
import { acceptJson } from "../bodies.ts";
import { closed, described, open, text } from "../json-schema.ts";
import { adminOnly, problemResponse } from "../responses.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Settings of the log. */
export type LogLevels = {
  level: LogLevel;
  /** Whether refusals name the refused keys. */
  keys: boolean;
};

type LogRouteOptions = { readonly log: LogLevels; readonly admitAdmin: Admit };

/** Adds the route. */
export async function logRoute(
  app: FastifyInstance,
  { log, admitAdmin }: LogRouteOptions,
): Promise<void> {
  acceptJson(app, "application/json");
  // Checked before the body is read, so that unauthorized callers can't cause the read.
  const route = { schema, onRequest: admitAdmin };
  app.post<{ Body: Partial<LogLevels> }>("/v1/log", route, async ({ body }) => {
    if (body.level !== undefined) log.level = body.level;
    if (body.keys !== undefined) log.keys = body.keys;
    return { level: log.level, keys: log.keys };
  });
}

const properties = {
  level: { ...text, enum: LOG_LEVELS, description: "The lowest level that is logged" },
  keys: described("boolean", "Whether refusals name the keys that were refused"),
} as const;

const schema = {
  summary: "Change the log settings; an empty object only reads them",
  security: adminOnly.security,
  body: closed(properties),
  response: {
    200: { ...open(properties), description: "The log settings" },
    400: problemResponse("A field is invalid"),
    ...adminOnly.responses,
  },
};
