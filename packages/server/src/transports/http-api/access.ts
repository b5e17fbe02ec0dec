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

/** A token, or a function that returns it as it is now. */
export type TokenSource = string | (() => string | undefined) | undefined;

type AdminSettings = {
  readonly adminToken: TokenSource;
  /** Whether administrators have a listener of their own. Then no address alone opens a call. */
  readonly isAdminElsewhere?: boolean | undefined;
};

/** Returns the guard of a server's admin calls. */
export function accessOf(on: ListeningOn, settings: AdminSettings): AdminAccess {
  const guard = guardOf(on, tokenNow(settings.adminToken));
  return guard === "open" && settings.isAdminElsewhere === true ? "closed" : guard;
}

/** Returns a token as it is now. */
export function tokenNow(token: TokenSource): string | undefined {
  return typeof token === "function" ? token() : token;
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
export function accessTo(server: Server, tokens: AccessTokens) {
  const { adminToken, storeToken, metricsToken, isAdminElsewhere } = tokens;
  const first = { adminToken: tokenNow(adminToken), storeToken, metricsToken };
  for (const [name, token] of Object.entries(first)) {
    if (token !== undefined) checkToken({ name, token });
  }
  let on: ListeningOn = null;
  server.on("listening", () => {
    on = server.address();
  });
  const needing = (own: string | undefined, { closed, isElsewhere }: Closing): Admit => {
    return async ({ headers: { authorization } }) => {
      const known = [tokenNow(adminToken), own].filter((token) => token !== undefined);
      const guard = accessOf(on, { adminToken: known[0], isAdminElsewhere: isElsewhere });
      if (guard === "closed") throw closed();
      if (guard === "open" || known.some((token) => isBearer(authorization, token))) return;
      throw noToken();
    };
  };
  return {
    admitAdmin: needing(undefined, { closed: adminClosed, isElsewhere: isAdminElsewhere }),
    admitStore: needing(storeToken, { closed: adminClosed }),
    admitMetrics: needing(metricsToken, { closed: metricsClosed }),
  };
}

type AccessTokens = Omit<Tokens, "adminToken"> & Partial<AdminSettings>;

/** How calls are refused that no token opens. */
type Closing = {
  readonly closed: () => RequestError;
  readonly isElsewhere?: boolean | undefined;
};

/** Compares digests, so that the time taken reveals nothing about the token. */
export function isBearer(authorization: string | undefined, token: string): boolean {
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
    "Admin calls are disabled: this service listens to other machines, or has a listener for " +
    "administrators, and has no SPILLWAY_ADMIN_TOKEN";
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
