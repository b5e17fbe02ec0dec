/** An administration of a service in this process, on a real port. */
import type { AddressInfo } from "node:net";
import {
  Administration,
  type AdminTarget,
  type AdminTokens,
  type AuditLog,
  createAdminServer,
  createService,
  KeyDigests,
  memoryAudit,
  type Service,
  type ServiceSettings,
} from "../../src/index.ts";
import { localTarget } from "../../src/process/admin/index.ts";
import { KeySketch } from "../../src/telemetry/index.ts";
import { atEnd } from "./at-end.ts";
import { rulesOf } from "./rules.ts";
import { type Reply, START, send } from "./service.ts";
import { SHOP } from "./shop.ts";

export const CHANGE = "the-token-to-change";
export const READ = "the-token-to-read";

export type TestAdmin = {
  readonly service: Service;
  readonly administration: Administration;
  readonly url: string;
  /** Tokens that the test may replace. */
  tokens: AdminTokens;
  now: number;
  showsKeys: boolean;
  /** Calls an operation; by POST if there is a body. */
  readonly call: (name: string, call?: AdminTestCall) => Promise<Reply>;
};

export type AdminTestCall = {
  readonly body?: unknown;
  /** Default: the token to change. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

type AdminTestOptions = {
  /** A rule file. Default: the shop's. */
  readonly rules?: string;
  readonly settings?: ServiceSettings;
  readonly audit?: AuditLog;
  readonly target?: (usual: AdminTarget) => AdminTarget;
};

/** Serves it until the test ends. */
export async function administered({
  rules = SHOP,
  settings = {},
  audit,
  target,
}: AdminTestOptions = {}): Promise<TestAdmin> {
  const state = { tokens: { change: CHANGE, read: READ }, now: START, showsKeys: false };
  const clock = () => state.now;
  const keys = new KeySketch();
  const parsed = rulesOf(rules);
  const service = createService({ rules: parsed, settings, clock, onDecided: keys.note });
  const usual = { ...localTarget({ service, keys }), topKeys: async () => keys.counts(clock()) };
  const administration = new Administration({
    target: target?.(usual) ?? usual,
    audit: audit ?? memoryAudit(clock),
    digests: new KeyDigests(),
    clock,
    showsKeys: () => state.showsKeys,
    onEntry: () => {},
    warn: () => {},
  });
  const guard = () => state.tokens;
  const app = await createAdminServer({
    administration,
    guard,
    host: "127.0.0.1",
    clock,
    warn: () => {},
  });
  atEnd(() => app.close());
  await app.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return Object.assign(state, {
    service,
    administration,
    url,
    call: (name: string, { body, token = CHANGE, headers }: AdminTestCall = {}) =>
      send({ url }, `/v1/admin/${name}`, body, {
        ...(body === undefined && { method: "GET" }),
        headers: {
          ...(token !== "" && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
      }),
  });
}

/** The newest entries of the audit log, without what differs in each run. */
export async function audited(admin: TestAdmin): Promise<readonly Record<string, unknown>[]> {
  const { body } = await admin.call("audit", { token: READ });
  return body.entries as readonly Record<string, unknown>[];
}
