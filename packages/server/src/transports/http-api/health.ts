/** Whether the process lives, and whether it is to be sent requests. */
import type { FastifyInstance } from "fastify";
import type { Service } from "../../service/index.ts";

export type HealthOptions = {
  readonly service: Pick<Service, "isDegraded">;
  /** Whether it is to be sent no more requests. */
  readonly isStopping: () => boolean;
  /** Why the rules in use are not those of the files; undefined where they are. */
  readonly trouble: (() => string | undefined) | undefined;
};

/** Adds `/livez`, `/readyz`, and `/healthcheck` as envoyproxy/ratelimit has it. */
export async function healthRoutes(app: FastifyInstance, options: HealthOptions): Promise<void> {
  const { isStopping } = options;
  // To answer at all is to live: what is wrong with a store, or rules, no restart would mend.
  app.get("/livez", { schema: livenessSchema }, async () => ({ live: true }));
  app.get("/readyz", { schema: readinessSchema }, async (_request, reply) => {
    const notes = isStopping() ? [] : await notesOf(options);
    if (!isStopping()) return { ready: true, notes };
    return reply.code(503).send({ ready: false, notes: [STOPPING_NOTE] });
  });
  app.get("/healthcheck", { schema: healthSchema }, async (_request, reply) => {
    if (isStopping()) return reply.code(503).send(STOPPING);
    return ["OK", ...(await notesOf(options))].join(", ");
  });
}

/** What is not as it should be, and no reason to send requests elsewhere. */
async function notesOf({ service, trouble }: HealthOptions): Promise<readonly string[]> {
  const notes = [(await service.isDegraded()) && DEGRADED, trouble?.() !== undefined && OLD_RULES];
  return notes.filter((note) => note !== false);
}

/** Still in service: it answers by policy, and no other process with this store would do better. */
const DEGRADED = "degraded: the store gives no answer";

/** It decides by the rules before. */
const OLD_RULES = "old rules: the files have changed and are wrong";

/** It still answers, but is to be sent no more. */
const STOPPING = "Stopping";
const STOPPING_NOTE = "stopping: it finishes what is under way";

const plainText = { "text/plain": { schema: { type: "string" } } } as const;

const healthSchema = {
  summary: "Whether the service is up, and its store",
  response: {
    200: { description: "OK", content: plainText },
    503: { description: "It is stopping", content: plainText },
  },
};

const livenessSchema = {
  summary: "Whether the process lives: where this has no answer, it is to be started anew",
  response: {
    200: {
      description: "It lives",
      type: "object",
      required: ["live"],
      properties: { live: { type: "boolean" } },
    },
  },
};

const readiness = {
  type: "object",
  required: ["ready", "notes"],
  properties: {
    ready: { type: "boolean" },
    notes: {
      type: "array",
      items: { type: "string" },
      description: "Why not, or what is not as it should be all the same",
    },
  },
} as const;

const readinessSchema = {
  summary: "Whether the service is to be sent requests",
  response: {
    200: { description: "It is", ...readiness },
    503: { description: "It is stopping", ...readiness },
  },
};
