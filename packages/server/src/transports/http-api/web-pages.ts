/**
 * Refuses requests of web pages. A browser sends requests for any page, also to this machine and
 * its network, so any page could spend and reset budgets.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { display } from "spillway/support";
import { RequestError } from "../../service/index.ts";
import { guardOf } from "./access.ts";

export type WebPagesOptions = {
  /** Origins whose pages may call, such as `https://shop.example`; `*` stands for all. */
  readonly allowOrigins: readonly string[];
  readonly adminToken: string | undefined;
};

/**
 * Refuses requests of web pages on all routes added to this scope.
 *
 * If the service is protected only by its address, also refuses hosts that are not this machine's
 * own names. A page of `evil.example` could make its name resolve to this machine.
 */
export function refuseWebPages(app: FastifyInstance, options: WebPagesOptions): void {
  const { adminToken, allowOrigins } = options;
  const allowed = new Set(allowOrigins);
  let needsLoopbackName = adminToken === undefined;
  app.server.on("listening", () => {
    const on = app.server.address();
    // Browsers can't reach a Unix socket.
    needsLoopbackName = typeof on === "object" && guardOf(on, adminToken) === "open";
  });
  app.addHook("onRequest", (request, _reply, done) => {
    const isForeign = needsLoopbackName && !isLoopbackHost(request.headers.host);
    done(isForeign ? foreignHost(request) : originError(request, allowed));
  });
}

/** Whether a `Host` names this machine. True if it is missing, as in HTTP/1.0. Pure. */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d*$/, "").toLowerCase();
  if (name === "localhost" || name === "[::1]" || name.endsWith(".localhost")) return true;
  return /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Browsers send `Origin` with every harmful request, and newer ones send `Sec-Fetch-Site`. */
function originError(
  { headers }: FastifyRequest,
  allowed: ReadonlySet<string>,
): RequestError | undefined {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  if (origin === undefined && (site === undefined || site === "none")) return undefined;
  if (allowed.has("*") || (origin !== undefined && allowed.has(origin))) return undefined;
  // A page with this server's own origin.
  const isOwn = isLoopbackHost(host) && origin === `http://${host}`;
  return isOwn ? undefined : foreignOrigin(origin ?? `Sec-Fetch-Site: ${site}`);
}

function foreignHost({ headers }: FastifyRequest): RequestError {
  const detail =
    `Found the host ${display(headers.host)}, expected a name of this machine such as localhost, ` +
    "because web pages can use other names; to allow them, set SPILLWAY_ADMIN_TOKEN";
  return new RequestError({ status: 403, code: "foreign-host", detail });
}

function foreignOrigin(found: string): RequestError {
  const detail =
    `Found ${display(found)}, expected no request from a web page; to allow it, add its origin ` +
    "to --allow-origin or SPILLWAY_ALLOW_ORIGIN";
  return new RequestError({ status: 403, code: "foreign-origin", detail });
}
