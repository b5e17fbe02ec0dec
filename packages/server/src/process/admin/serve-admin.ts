/** The administration listeners of a service, which is one process or several workers. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { systemClock } from "spillway/core";
import { printable } from "spillway/support";
import {
  Administration,
  type AdminTarget,
  type AuditEntry,
  type AuditLog,
  KeyDigests,
  type NoteDirect,
} from "../../service/index.ts";
import type { ServiceLogger } from "../../telemetry/index.ts";
import { type AdminGuard, createAdminServer } from "../../transports/http-api/index.ts";
import { hostAndPort, listenAt } from "../listen-at.ts";
import type { ServeOptions } from "../options/index.ts";
import { type AuditOptions, openAudit } from "./audit/open-audit.ts";
import type { RotatedTokens } from "./token-files.ts";
import { listenOnSocket } from "./unix-socket.ts";

/** Listeners that are open. */
export type AdminListeners = {
  /** Lines for the person who started the service. */
  readonly lines: readonly string[];
  /** Writes changes by older calls; undefined if there is no administration. */
  readonly note: NoteDirect | undefined;
  readonly close: () => Promise<void>;
};

type AdminContext = Pick<ServeOptions, "adminPort" | "adminHost" | "adminSocket"> &
  AuditOptions & {
    readonly target: AdminTarget;
    readonly rotated: RotatedTokens;
    readonly log: ServiceLogger;
  };

/** Whether a service has administration listeners. Pure. */
export function hasAdmin({
  adminPort,
  adminSocket,
}: Pick<ServeOptions, "adminPort" | "adminSocket">): boolean {
  return adminPort !== undefined || adminSocket !== undefined;
}

/** No listeners. */
export const NO_ADMIN: AdminListeners = { lines: [], note: undefined, close: async () => {} };

/** Opens the listeners, or none. @throws CommandError if one can't be opened */
export async function serveAdmin(options: AdminContext): Promise<AdminListeners> {
  if (!hasAdmin(options)) return NO_ADMIN;
  const { target, log } = options;
  const audit = await openAudit(options);
  const administration = new Administration({
    target,
    audit,
    digests: new KeyDigests(),
    clock: systemClock,
    showsKeys: () => log.keys,
    onEntry: (entry) => log.info(describeEntry(entry), { event: "audit", entry }),
    warn: log.warn,
  });
  const listeners = await openAll(administration, options).catch(async (error: unknown) => {
    await audit.close();
    throw error;
  });
  return {
    lines: [...listeners.map(({ line }) => line), auditLine(audit, options)],
    note: (call) => administration.noteDirect(call),
    close: async () => {
      await Promise.all(listeners.map((one) => one.close()));
      await audit.close();
    },
  };
}

type AdminListener = { readonly line: string; readonly close: () => Promise<void> };

async function openAll(
  administration: Administration,
  options: AdminContext,
): Promise<readonly AdminListener[]> {
  const { adminPort: port, adminSocket: path } = options;
  const opened: AdminListener[] = [];
  try {
    if (port !== undefined) opened.push(await onPort(administration, { ...options, port }));
    if (path !== undefined) opened.push(await onSocket(administration, { ...options, path }));
    return opened;
  } catch (error) {
    await Promise.all(opened.map((one) => one.close()));
    throw error;
  }
}

async function onPort(
  administration: Administration,
  options: AdminContext & { readonly port: number },
): Promise<AdminListener> {
  const { port, adminHost: host, rotated } = options;
  const app = await serverOf(administration, { ...options, guard: rotated.now, host });
  await listenAt(
    { host, port, option: "--admin-port", variable: "SPILLWAY_ADMIN_PORT" },
    { listen: () => app.listen({ host, port }), close: () => app.close() },
  );
  const where = hostAndPort(app.server.address() as AddressInfo);
  return { line: `Administration on http://${where}`, close: () => app.close() };
}

async function onSocket(
  administration: Administration,
  options: AdminContext & { readonly path: string },
): Promise<AdminListener> {
  const { path } = options;
  const app = await serverOf(administration, { ...options, guard: "socket", host: undefined });
  await app.ready();
  await listenOnSocket(app.server, path);
  return { line: `Administration on unix:${printable(path)}`, close: () => closed(app) };
}

/** Fastify closes only what it opened itself. Node then removes the socket. */
async function closed(app: FastifyInstance): Promise<void> {
  const { server } = app;
  const over = once(server, "close");
  server.close();
  server.closeAllConnections();
  await Promise.all([app.close(), over]);
}

type ServerSettings = Pick<AdminContext, "log"> & {
  readonly guard: AdminGuard;
  readonly host: string | undefined;
};

function serverOf(administration: Administration, { guard, host, log }: ServerSettings) {
  const { warn } = log;
  return createAdminServer({ administration, guard, host, clock: systemClock, warn });
}

function auditLine({ where }: AuditLog, { auditFile: path, store }: AuditOptions): string {
  if (path !== undefined || store !== "memory") return `Changes are audited in ${where}`;
  return `Changes are audited in ${where} and in this log; --audit-file keeps them`;
}

function describeEntry({ version, by, what, on, outcome, reason, code }: AuditEntry): string {
  const subjects = on.length === 0 ? "" : ` of ${printable(on.join(", "))}`;
  const why = reason === undefined ? "" : ` (${printable(reason)})`;
  const how = outcome === "accepted" ? "" : ` ${outcome} with ${code}`;
  return `audit ${version}: ${what}${subjects}${why}${how}, by ${by}`;
}
