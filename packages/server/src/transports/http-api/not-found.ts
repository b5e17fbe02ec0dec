import type { FastifyInstance, FastifyRequest } from "fastify";
import { display } from "spillway/support";
import { RequestError } from "../../service/index.ts";

/**
 * Answers requests for unknown paths or methods. Must be registered before the routes: it records
 * them as they are added, so that a requested path is looked up exactly.
 *
 * @param list Where the paths are listed.
 */
export function answerNotFound(app: FastifyInstance, list = "/openapi.json"): void {
  const methods = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  app.setNotFoundHandler(({ method, url }: FastifyRequest) => {
    const path = url.split("?", 1)[0] ?? "";
    const allowed = methods.get(path);
    if (allowed !== undefined) throw wrongMethod({ found: method, allow: [...allowed].join(", ") });
    const detail = `Found ${display(path)}, expected one of the paths that ${list} lists`;
    throw new RequestError({ status: 404, code: "unknown-route", detail });
  });
}

function wrongMethod({ found, allow }: { readonly found: string; readonly allow: string }) {
  const detail = `Found ${found}, expected ${allow}`;
  return new RequestError({ status: 405, code: "wrong-method", detail, headers: { allow } });
}
