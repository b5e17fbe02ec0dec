/** Who may change what others have: anyone on this machine, or who has the token. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import { RequestError } from "../../request-error.ts";

/** Where a server listens, as Node gives it: a path for a Unix socket, null for nowhere yet. */
export type ListeningOn = AddressInfo | string | null;

/** How admin calls are guarded: by nothing, by a token, or shut because there is no token. */
export type Guard = "open" | "token" | "closed";

/** A service that other machines can reach answers no admin call without a token. Pure. */
export function guardOf(on: ListeningOn, adminToken: string | undefined): Guard {
  if (adminToken !== undefined) return "token";
  return typeof on !== "object" || on === null || isLoopback(on.address) ? "open" : "closed";
}

/** What checks the `Authorization` of an admin call: it throws a RequestError for those it does not let in. */
export type AdminGuard = (authorization: string | undefined, on: ListeningOn) => void;

/** Makes the check. */
export function adminGuard(adminToken: string | undefined): AdminGuard {
  return (authorization, on) => {
    const guard = guardOf(on, adminToken);
    if (guard === "closed") throw closed();
    if (guard === "token" && !isBearer(authorization, adminToken ?? "")) throw noToken();
  };
}

type Tokens = { readonly [N in "storeToken" | "adminToken"]: string | undefined };

/**
 * Makes the check for programs whose store this is: they need the token for stores, where there is one,
 * or else what admin calls need. Who may do more may do this too.
 */
export function storeGuard({ storeToken, adminToken }: Tokens): AdminGuard {
  const guardAdmin = adminGuard(adminToken);
  if (storeToken === undefined) return guardAdmin;
  return (authorization) => {
    if (isBearer(authorization, storeToken)) return;
    if (adminToken !== undefined && isBearer(authorization, adminToken)) return;
    throw noToken();
  };
}

/**
 * Makes the check of those who read metrics: on a loopback address anybody, elsewhere who has a token.
 * The token for metrics may do nothing else; the admin token may this too.
 */
export function metricsGuard(tokens: MetricsTokens): AdminGuard {
  const { adminToken, metricsToken } = tokens;
  const known = [adminToken, metricsToken].filter((token) => token !== undefined);
  return (authorization, on) => {
    const guard = guardOf(on, known[0]);
    if (guard === "closed") throw metricsClosed();
    if (guard === "token" && !known.some((token) => isBearer(authorization, token)))
      throw noToken();
  };
}

export type MetricsTokens = {
  readonly adminToken: string | undefined;
  readonly metricsToken: string | undefined;
};

/** Compares digests, so that the time taken reveals nothing of the token. */
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

function closed(): RequestError {
  const detail =
    "Admin calls are shut: this service listens to other machines and has no SPILLWAY_ADMIN_TOKEN";
  return new RequestError({ status: 403, code: "admin-closed", detail });
}

function metricsClosed(): RequestError {
  const detail =
    "Metrics are shut: this service listens to other machines and has no SPILLWAY_METRICS_TOKEN; " +
    "--metrics-port serves them on a port of their own";
  return new RequestError({ status: 403, code: "admin-closed", detail });
}

function noToken(): RequestError {
  const detail = "This needs the header Authorization: Bearer, with the service's token for it";
  const headers = { "www-authenticate": 'Bearer realm="spillway"' };
  return new RequestError({ status: 401, code: "token-required", detail, headers });
}
