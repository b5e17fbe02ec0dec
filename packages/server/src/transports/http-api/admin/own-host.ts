/** Refuses what web pages could send to an administration listener. */
import { hostname } from "node:os";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { display } from "spillway/support";
import { RequestError } from "../../../service/index.ts";
import { isLoopbackHost } from "../web-pages.ts";

/**
 * Refuses every request with an `Origin`, and every `Host` that is not the listener's own: a page
 * of `evil.example` could make its name resolve to this machine.
 *
 * @param host The address to listen on, as it was configured.
 */
export function refuseForeign(app: FastifyInstance, host: string): void {
  app.addHook("onRequest", (request, _reply, done) => done(foreignIn(request, host)));
}

function foreignIn(request: FastifyRequest, host: string): RequestError | undefined {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (origin !== undefined || (site !== undefined && site !== "none")) {
    return foreignOrigin(origin ?? `Sec-Fetch-Site: ${site}`);
  }
  return isOwnHost(request, host) ? undefined : foreignHost(request);
}

/** Whether `Host` names this machine, or the address that the client has connected to. */
function isOwnHost({ headers, socket }: FastifyRequest, host: string): boolean {
  if (isLoopbackHost(headers.host)) return true;
  const name = nameOf(headers.host);
  const address = socket.localAddress?.replace(/^::ffff:/, "");
  return [host, address, hostname()].some((own) => own?.toLowerCase() === name);
}

/** Returns the name in a `Host`, without the port and the brackets of IPv6. */
function nameOf(host = ""): string {
  return host
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
}

function foreignOrigin(found: string): RequestError {
  const detail =
    `Found ${display(found)}, expected no request from a web page; use the command line, or a ` +
    "program that sends no Origin";
  return new RequestError({ status: 403, code: "foreign-origin", detail });
}

function foreignHost({ headers }: FastifyRequest): RequestError {
  const detail =
    `Found the host ${display(headers.host)}, expected the address or the name of this machine, ` +
    "because web pages can use other names; call it by its address";
  return new RequestError({ status: 403, code: "foreign-host", detail });
}
