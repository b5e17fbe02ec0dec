/** Reports whether the process is alive, and whether it should receive requests. */
import type { FastifyInstance } from "fastify";
import type { Service } from "../../service/index.ts";

export type HealthOptions = {
  readonly service: Pick<Service, "isDegraded">;
  /** Whether the process should receive no more requests. */
  readonly isStopping: () => boolean;
  /** Why the rules in use differ from the files; undefined if they do not. */
  readonly trouble: (() => string | undefined) | undefined;
};

/** Adds `/livez`, `/readyz`, and envoyproxy/ratelimit's `/healthcheck`. */
export async function healthRoutes(app: FastifyInstance, options: HealthOptions): Promise<void> {
  const { isStopping } = options;
  // Any response proves that the process is alive. A restart would not repair a store or rules.
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

/** Problems that another process would have too, so that requests need not go elsewhere. */
async function notesOf({ service, trouble }: HealthOptions): Promise<readonly string[]> {
  const notes = [(await service.isDegraded()) && DEGRADED, trouble?.() !== undefined && OLD_RULES];
  return notes.filter((note) => note !== false);
}

/**
 * The process stays in service: limits answer by their policies, and other processes on this store
 * have the same problem.
 */
const DEGRADED = "degraded: the store gives no answer";

/** The service decides by the previous rules. */
const OLD_RULES = "old rules: the files have changed and are invalid";

/** The service still answers, but should receive no more requests. */
const STOPPING = "Stopping";
const STOPPING_NOTE = "stopping: finishing open requests";

const plainText = { "text/plain": { schema: { type: "string" } } } as const;

const healthSchema = {
  summary: "Whether the service and its store work",
  response: {
    200: { description: "OK", content: plainText },
    503: { description: "The service is stopping", content: plainText },
  },
};

const livenessSchema = {
  summary: "Whether the process is alive; restart it if this does not answer",
  response: {
    200: {
      description: "The process is alive",
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
      description: "Why it is not ready, or what is degraded",
    },
  },
} as const;

const readinessSchema = {
  summary: "Whether the service is ready for requests",
  response: {
    200: { description: "The service is ready", ...readiness },
    503: { description: "The service is stopping", ...readiness },
  },
};
