import type { FastifyRequest, HTTPMethods } from "fastify";
import { display } from "spillway/core";
import { RequestError } from "./request-error.ts";

/** Says that there is nothing at a path, or nothing for the method. */
export function notFound({ server, method, url }: FastifyRequest): never {
  const path = url.split("?", 1)[0] ?? "";
  const allowed = server.supportedMethods.filter((known) =>
    server.hasRoute({ method: known as HTTPMethods, url: path }),
  );
  if (allowed.length > 0) throw wrongMethod(method, allowed.join(", "));
  const detail = `Found ${display(path)}, expected one of the paths that /openapi.json lists`;
  throw new RequestError({ status: 404, code: "unknown-route", detail });
}

function wrongMethod(found: string, allow: string): RequestError {
  const detail = `Found ${found}, expected ${allow}`;
  return new RequestError({ status: 405, code: "wrong-method", detail, headers: { allow } });
}
