/** The routes by which administrators read budgets, modes, keys and the audit log. */
import type { FastifyInstance } from "fastify";
import { ADMIN_PATH, type KeyRequest } from "../../../service/index.ts";
import { jsonResponse, STORE_SILENT } from "../responses.ts";
import { valueJson } from "../v1/response.ts";
import { type AdminRoutesOptions, admitted, guarded, readProblems } from "./change-routes.ts";
import { auditQuerySchema, topKeysQuerySchema } from "./schemas.ts";

/** Adds the routes. */
export async function readRoutes(app: FastifyInstance, options: AdminRoutesOptions): Promise<void> {
  addGet(app, options);
  addModes(app, options);
  addTopKeys(app, options);
  addAudit(app, options);
}

type ReadRoute = {
  readonly summary: string;
  readonly response: `${string}Response`;
  /** The schema of the body or the query. */
  readonly input?: object;
};

function reading({ guard }: AdminRoutesOptions, { summary, response, input }: ReadRoute) {
  const answers = { 200: jsonResponse(summary, response), ...readProblems, 503: STORE_SILENT };
  const schema = { summary, ...guarded, ...input, response: answers };
  return { onRequest: admitted(guard, "read"), schema };
}

function addGet(app: FastifyInstance, options: AdminRoutesOptions): void {
  const { administration } = options;
  const input = { body: { $ref: "AdminKeys#" } };
  const route = reading(options, { summary: "Budgets", response: "BudgetsResponse", input });
  app.post<{ Body: KeyRequest }>(`${ADMIN_PATH}get`, route, async ({ body }) => {
    const { version, budgets } = await administration.budgets(body);
    return {
      version,
      budgets: budgets.map(({ digest, value, ...one }) => {
        return { ...one, key: digest, value: valueJson(value) };
      }),
    };
  });
}

function addModes(app: FastifyInstance, options: AdminRoutesOptions): void {
  const { administration } = options;
  const route = reading(options, { summary: "The modes of limits", response: "ModesResponse" });
  app.get(`${ADMIN_PATH}modes`, route, async () => administration.modes());
}

type ListQuery = { readonly count?: string; readonly limit?: string };

/** The number of items without a count. */
const USUAL_COUNT = 20;

function countOf({ count }: ListQuery): number {
  return count === undefined ? USUAL_COUNT : Number(count);
}

function addTopKeys(app: FastifyInstance, options: AdminRoutesOptions): void {
  const { administration } = options;
  const input = { querystring: topKeysQuerySchema };
  const about = { summary: "The most asked keys", response: "TopKeysResponse", input } as const;
  const route = reading(options, about);
  app.get<{ Querystring: ListQuery }>(`${ADMIN_PATH}top-keys`, route, async ({ query }) =>
    administration.topKeys({ limit: query.limit, count: countOf(query) }),
  );
}

function addAudit(app: FastifyInstance, options: AdminRoutesOptions): void {
  const { administration } = options;
  const input = { querystring: auditQuerySchema };
  const summary = "The newest entries of the audit log, the oldest of them first";
  const route = reading(options, { summary, response: "AuditResponse", input });
  app.get<{ Querystring: ListQuery }>(`${ADMIN_PATH}audit`, route, async ({ query }) => {
    const entries = await administration.entries(countOf(query));
    const version = entries.at(-1)?.version ?? 0;
    return { version, where: administration.auditedIn, entries };
  });
}
