/** Parses the bodies of requests for their routes. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestError } from "../../service/index.ts";
import { type BodyIntake, readBody } from "./read-body.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The content type of a route's bodies, if it is not JSON. */
    accepts?: string;
  }
  interface FastifyInstance {
    /** How the bytes of bodies are kept while they arrive. */
    readonly intake: BodyIntake;
  }
}

/** Malformed UTF-8 is refused: replacement characters would make two keys equal. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses bodies of some content types, or of any (`*`), by a function of their bytes. Refuses all
 * others.
 */
export function acceptBodies(
  app: FastifyInstance,
  types: string | string[],
  parse: (bytes: Buffer) => unknown,
): void {
  app.removeAllContentTypeParsers();
  const { intake } = app;
  const read = async (request: FastifyRequest, payload: IncomingMessage) =>
    parse(await readBody(request, payload, intake));
  app.addContentTypeParser(types, read);
}

/** Parses bodies of one content type, or of any (`*`), as JSON. Refuses all others. */
export function acceptJson(app: FastifyInstance, contentType: "application/json" | "*"): void {
  acceptBodies(app, contentType, parseJson);
}

/** Ignores bodies. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", async (request: FastifyRequest, payload: IncomingMessage) => {
    await readBody(request, payload, undefined);
  });
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
