/** Routes of `/v1` whose body names a domain. Each is one verb of the service. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Service } from "../../../service/index.ts";
import type { Admit } from "../access.ts";
import { adminOnly } from "../responses.ts";
import { checkDomain } from "./domain.ts";
import { problemResponses } from "./response-schemas.ts";

export type PostRoute = {
  readonly verb: string;
  readonly summary: string;
  /** The name of the body's schema. */
  readonly body: string;
  /** The responses by status, without problems of the body. */
  readonly responses: object;
  /** Admits callers. Default: all. */
  readonly admit?: Admit;
  /** Whether another call takes its place. Default: no. */
  readonly isDeprecated?: boolean;
};

/** The date from which calls are deprecated, as RFC 9745 has it. */
const DEPRECATED = `@${Date.UTC(2026, 10, 26) / 1000}`;

type PostHandler<B> = (body: B, reply: FastifyReply) => Promise<object>;

/** Returns the function that adds such routes. */
export function posting(app: FastifyInstance, service: Service) {
  return <B extends { readonly domain: string }>(
    route: PostRoute,
    answer: PostHandler<B>,
  ): void => {
    const { verb, admit } = route;
    // Checked before the body is read, so that unauthorized callers can't cause the read.
    const options = { schema: schemaOf(route), ...(admit && { onRequest: admit }) };
    app.post<{ Body: B }>(`/v1/${verb}`, options, async ({ body }, reply) => {
      if (route.isDeprecated === true) reply.header("deprecation", DEPRECATED);
      checkDomain(service, (body as B).domain);
      return answer(body as B, reply);
    });
  };
}

function schemaOf({ summary, body, responses, admit, isDeprecated }: PostRoute) {
  return {
    summary,
    ...(isDeprecated && { deprecated: true }),
    ...(admit && { security: adminOnly.security }),
    body: { $ref: `${body}#` },
    response: { ...problemResponses, ...(admit && adminOnly.responses), ...responses },
  };
}
