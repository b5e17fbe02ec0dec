/** Routes that change budgets in other ways than taking, for operators and trusted programs. */
import type { FastifyInstance } from "fastify";
import type {
  BlockRequest,
  KeyRequest,
  NoteDirect,
  Service,
  SettleRequest,
} from "../../../service/index.ts";
import type { Admit } from "../access.ts";
import { jsonResponse, STORE_SILENT } from "../responses.ts";
import { posting } from "./post-route.ts";
import { toResponse, toValues } from "./response.ts";

type AdminOptions = {
  readonly service: Service;
  readonly admitAdmin: Admit;
  /** Called before each change. */
  readonly onAdminCall?: NoteDirect | undefined;
};

/** Adds resets, settlements and blocks, whose places an administration listener takes. */
export function addAdminRoutes(
  app: FastifyInstance,
  { service, admitAdmin, onAdminCall }: AdminOptions,
): void {
  const add = posting(app, service);
  const admit = { admit: admitAdmin, isDeprecated: true };
  add<KeyRequest>({ ...RESET, ...admit }, async (body) => {
    await onAdminCall?.({ what: "reset", body });
    return toResponse(await service.reset(body));
  });
  add<SettleRequest>({ ...SETTLE, ...admit }, async (body) => toValues(await service.settle(body)));
  add<BlockRequest>({ ...BLOCK, ...admit }, async (body) => {
    await onAdminCall?.({ what: "block", body });
    return toValues(await service.block(body));
  });
  add<KeyRequest>({ ...UNBLOCK, ...admit }, async (body) => {
    await onAdminCall?.({ what: "unblock", body });
    return toValues(await service.unblock(body));
  });
}

const values = { 200: jsonResponse("Done", "ValuesResponse"), 503: STORE_SILENT };

const RESET = {
  verb: "reset",
  summary: "Reset budgets, and return their new state",
  body: "KeyRequest",
  responses: { 200: jsonResponse("Done", "LimitResponse"), 503: STORE_SILENT },
};

const SETTLE = {
  verb: "settle",
  summary: "Replace estimated counts by actual usage",
  body: "SettleRequest",
  responses: values,
};

const BLOCK = {
  verb: "block",
  summary: "Refuse every request for a time; replaces an earlier block",
  body: "BlockRequest",
  responses: values,
};

const UNBLOCK = {
  verb: "unblock",
  summary: "End blocks; usage stays",
  body: "KeyRequest",
  responses: values,
};
