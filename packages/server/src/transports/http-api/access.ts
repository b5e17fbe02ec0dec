/** Guards calls that change other callers' budgets: open to this machine only, or with a token. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { AddressInfo, Server } from "node:net";
import type { FastifyRequest } from "fastify";
import { RequestError } from "../../service/index.ts";
import { checkToken, type Tokens } from "./tokens.ts";

/**
 * The address of a server, as Node reports it: a path for a Unix socket, null if it does not
 * listen.
 */
export type ListeningOn = AddressInfo | string | null;

/** How admin calls are guarded: open, by a token, or closed because there is no token. */
export type AdminAccess = "open" | "token" | "closed";

/**
 * Returns the guard. Without a token, only a server that no other machine can reach answers admin
 * calls. Pure.
 */
export function guardOf(on: ListeningOn, adminToken: string | undefined): AdminAccess {
  if (adminToken !== undefined) return "token";
  if (on === null) return "closed";
  return typeof on === "string" || isLoopback(on.address) ? "open" : "closed";
}

/**
 * Admits a request by its `Authorization`, as a hook of Fastify. It rejects with a RequestError.
 */
export type Admit = (request: Pick<FastifyRequest, "headers">) => Promise<void>;

/**
 * Creates the checks of a server, one for each kind of guarded call.
 *
 * Whether the address alone protects the server is decided once, when the server begins to listen,
 * because Node no longer reports the address of a server that is stopping.
 *
 * @throws TokenError
 */
export function accessTo(server: Server, tokens: Tokens) {
  const { adminToken, storeToken, metricsToken } = tokens;
  for (const [name, token] of Object.entries({ adminToken, storeToken, metricsToken })) {
    if (token !== undefined) checkToken({ name, token });
  }
  let on: ListeningOn = null;
  server.on("listening", () => {
    on = server.address();
  });
  const needing = (own: string | undefined, closed: () => RequestError): Admit => {
    const known = [adminToken, own].filter((token) => token !== undefined);
    return async ({ headers: { authorization } }) => {
      const guard = guardOf(on, known[0]);
      if (guard === "closed") throw closed();
      if (guard === "open" || known.some((token) => isBearer(authorization, token))) return;
      throw noToken();
    };
  };
  return {
    admitAdmin: needing(undefined, adminClosed),
    admitStore: needing(storeToken, adminClosed),
    admitMetrics: needing(metricsToken, metricsClosed),
  };
}

/** Compares digests, so that the time taken reveals nothing about the token. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const [, given] = /^bearer +(.+)$/i.exec(authorization ?? "") ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

function adminClosed(): RequestError {
  const detail =
    "Admin calls are disabled: this service listens to other machines and has no " +
    "SPILLWAY_ADMIN_TOKEN";
  return new RequestError({ status: 403, code: "admin-closed", detail });
}

function metricsClosed(): RequestError {
  const detail =
    "Metrics are disabled: this service listens to other machines and has no " +
    "SPILLWAY_METRICS_TOKEN; set it, or serve them on a separate port with --metrics-port";
  return new RequestError({ status: 403, code: "admin-closed", detail });
}

function noToken(): RequestError {
  const detail =
    "Found no valid token, expected the header Authorization: Bearer with the " +
    "service's token for this call";
  const headers = { "www-authenticate": 'Bearer realm="spillway"' };
  return new RequestError({ status: 401, code: "token-required", detail, headers });
}
