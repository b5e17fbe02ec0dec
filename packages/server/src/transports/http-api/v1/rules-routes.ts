/** Routes that read and change the rules while the service runs. */
import type { FastifyInstance } from "fastify";
import { LONGEST_FILE } from "../../../rules/index.ts";
import { RequestError } from "../../../service/index.ts";
import type { Admit } from "../access.ts";
import { acceptBodies } from "../bodies.ts";
import { adminOnly, jsonResponse, problemResponse } from "../responses.ts";
import type { AskRules, RulesAnswer, RulesRefusal, RunningRules } from "./rules-contract.ts";
import { rulesQuerySchema } from "./rules-schemas.ts";

export type RulesOptions = {
  readonly askRules: AskRules;
  readonly admitAdmin: Admit;
  /** Admits programs, which may read the rules. */
  readonly admitStore: Admit;
};

const PATH = "/v1/rules";
const YAML = "application/yaml";
/** Names of the media type from before RFC 9512. */
const ALSO_YAML = ["application/x-yaml", "text/yaml", "text/x-yaml"];

/** Malformed UTF-8 is refused: replacement characters would make two keys equal. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Adds the routes, in a scope of their own because their bodies are YAML. */
export async function rulesRoutes(app: FastifyInstance, options: RulesOptions): Promise<void> {
  const { askRules, admitAdmin, admitStore } = options;
  acceptBodies(app, [YAML, ...ALSO_YAML], textOf);
  const get = { schema: GET_SCHEMA, onRequest: admitStore };
  app.get(PATH, get, async ({ headers }, reply) => {
    const known = versionsIn(headers["if-none-match"]);
    const { version, ...rules } = said(await askRules({ type: "read", known })) as RulesBody;
    reply.header("etag", `"${version}"`);
    return rules.files === undefined ? reply.code(304).send() : rules;
  });
  const post = {
    schema: POST_SCHEMA,
    onRequest: admitAdmin,
    bodyLimit: LONGEST_FILE,
    config: { accepts: YAML },
  };
  app.post<{ Body: string; Querystring: RulesQueryString }>(PATH, post, async ({ body, query }) => {
    const { file, write, check } = query;
    const change = { text: body, file, write: write === "true", check: check === "true" };
    return said(await askRules({ type: "change", ...change }));
  });
}

/** The answer to a request for the rules. Without files, they are unchanged. */
type RulesBody = { readonly version: string; readonly files?: RunningRules["files"] };

/** Returns the versions of an `If-None-Match`. A proxy that compresses answers makes them weak. */
function versionsIn(header: string | undefined): readonly string[] {
  return [...(header ?? "").matchAll(/"([^"]*)"/g)].map(([, version = ""]) => version);
}

type Flag = "true" | "false";
type RulesQueryString = { readonly file?: string; readonly write?: Flag; readonly check?: Flag };

/** @throws RequestError */
function textOf(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    const detail = "Found bytes that are not UTF-8, expected a rule file";
    throw new RequestError({ status: 400, code: "bad-rules", detail });
  }
}

/** @throws RequestError if nothing was changed */
function said({ type, ...answer }: RulesAnswer): object {
  if (type === "refused") throw refusal(answer as Omit<RulesRefusal, "type">);
  return answer;
}

function refusal({ code, detail, problems }: Omit<RulesRefusal, "type">): RequestError {
  const status = code === "not-written" || code === "internal" ? 500 : 400;
  return new RequestError({ status, code, detail, ...(problems && { more: { problems } }) });
}

const GET_SCHEMA = {
  summary: "Read the rules in use; with If-None-Match, only if they have changed",
  security: [{ storeToken: [] }],
  response: {
    200: jsonResponse("The rules in use, whose version is the ETag", "RunningRules"),
    304: { description: "The rules have the version of the If-None-Match" },
    401: problemResponse("The token for stores or the admin token is required"),
    403: problemResponse("A token is required, or the request comes from a web page"),
  },
};

const POST_SCHEMA = {
  summary: "Replace the text of a rule file; limits keep their usage",
  description: "The body is the whole file, in YAML. If it is invalid, nothing changes.",
  security: adminOnly.security,
  consumes: [YAML],
  querystring: rulesQuerySchema,
  body: { type: "string" },
  response: {
    200: jsonResponse("What has changed", "ChangedRules"),
    400: problemResponse(
      "The rules are invalid, with the place of each mistake; or the service reads no such file",
    ),
    ...adminOnly.responses,
    413: problemResponse(`The body is over ${LONGEST_FILE} bytes`),
    415: problemResponse(`The body is not ${YAML}`),
    500: problemResponse("The file can't be written; the previous rules stay in use"),
  },
};
