/** What requests carry: bytes made into JSON, and nothing else believed. */
import type { FastifyInstance } from "fastify";
import { RequestError } from "../../request-error.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The content type of a route's bodies, where it isn't JSON. */
    accepts?: string;
  }
}

/** The longest body, in bytes. */
export const LONGEST_BODY = 64 * 1024;

/** Malformed UTF-8 is refused: replaced bytes would make one key of two. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads bodies of one content type, or of any (`*`), as JSON; refuses all others. */
export function acceptJson(app: FastifyInstance, contentType: "application/json" | "*"): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(contentType, { parseAs: "buffer" }, (_request, body, done) => {
    try {
      done(null, parseJson(body));
    } catch (error) {
      done(error as RequestError);
    }
  });
}

/** Minds no bodies, and believes none. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) => done(null));
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    const found = body.length === 0 ? "no body" : (error as Error).message;
    const detail = `The body is not JSON in UTF-8: ${found}`;
    throw new RequestError({ status: 400, code: "bad-json", detail });
  }
}
