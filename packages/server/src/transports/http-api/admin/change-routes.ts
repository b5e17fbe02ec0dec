/** The routes by which administrators change something: one for each kind of change. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Value } from "spillway";
import {
  ADMIN_PATH,
  type Administration,
  CHANGES,
  type ChangeBody,
  type ChangeName,
  type SettleRequest,
} from "../../../service/index.ts";
import { adminOnly, jsonResponse, problemResponse, STORE_SILENT } from "../responses.ts";
import { toValues } from "../v1/response.ts";
import { type AdminGuard, type AdminRight, callerOf } from "./caller.ts";
import { CHANGE_BODIES } from "./schemas.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The name of the change that a route makes. */
    change?: ChangeName;
  }
  interface FastifyRequest {
    /** The caller of an administration listener, for the audit log. */
    caller?: string;
  }
}

export type AdminRoutesOptions = {
  readonly administration: Administration;
  readonly guard: AdminGuard;
};

/** Adds the routes. */
export async function changeRoutes(
  app: FastifyInstance,
  options: AdminRoutesOptions,
): Promise<void> {
  for (const name of Object.keys(CHANGES) as ChangeName[]) addChange(app, name, options);
  addSettle(app, options);
}

/** Settling is daily work of programs, which would fill the audit log. */
function addSettle(app: FastifyInstance, { administration, guard }: AdminRoutesOptions): void {
  const schema = {
    summary: "Replace estimated counts by actual usage; not in the audit log",
    ...guarded,
    body: { $ref: "SettleRequest#" },
    response: { 200: jsonResponse("Done", "ValuesResponse"), ...readProblems, 503: STORE_SILENT },
  };
  const route = { schema, onRequest: admitted(guard, "change") };
  app.post<{ Body: SettleRequest }>(`${ADMIN_PATH}settle`, route, async ({ body }) =>
    toValues(await administration.settle(body)),
  );
}

const SUMMARIES: { readonly [N in ChangeName]: string } = {
  reset: "Forget what budgets have used",
  block: "Refuse everything on budgets for a time",
  unblock: "End blocks; usage stays",
  override: "Give budgets definitions of their own, for a time or until it is ended",
  "end-override": "End overrides; usage stays",
  mode: "Switch limits between enforce, shadow and off",
};

function addChange(
  app: FastifyInstance,
  name: ChangeName,
  { administration, guard }: AdminRoutesOptions,
): void {
  const schema = {
    summary: SUMMARIES[name],
    ...guarded,
    body: { $ref: `${CHANGE_BODIES[name].$id}#` },
    response: { 200: jsonResponse("Done", "ChangeResponse"), ...changeProblems },
  };
  const onRequest = admitted(guard, "change");
  const route = { schema, onRequest, config: { change: name } };
  app.post<{ Body: ChangeBody }>(ADMIN_PATH + name, route, async ({ body, caller = "" }) =>
    shownChange(await administration.change(name, body, caller)),
  );
}

function shownChange(answer: { readonly values?: readonly (Value | undefined)[] }): object {
  const { values } = answer;
  return values === undefined ? answer : { ...answer, ...toValues({ values }) };
}

/** Checks the caller before the body is read, so that strangers can't cause the read. */
export function admitted(guard: AdminGuard, right: AdminRight) {
  return async (request: FastifyRequest) => {
    request.caller = callerOf(request, guard, right);
  };
}

export const guarded = { security: adminOnly.security };
export const readProblems = {
  400: problemResponse("The body or the query is invalid"),
  401: problemResponse("A token is required"),
  403: problemResponse("The token is the wrong one, or the request comes from a web page"),
  404: problemResponse("No rule has the name"),
  413: problemResponse("The body is over 65536 bytes"),
  415: problemResponse("The body is not application/json"),
};
const changeProblems = {
  ...readProblems,
  409: problemResponse("Its subject was changed after the version; `newer` is that change"),
  503: problemResponse("The audit log can't be written, or the store gave no answer"),
};
