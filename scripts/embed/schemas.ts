/**
 * Compiles the JSON Schemas of the service's HTTP API. The service then loads no compiler, which is
 * half of the modules that it would load, and compiles nothing at its start.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { transform } from "esbuild";
import type { FastifyInstance } from "fastify";
import {
  type Administration,
  createAdminServer,
  createServer,
  createService,
  parseRules,
} from "spillway-server";

// The compilers that Fastify uses, in the versions that it uses.
const ofFastify = createRequire(createRequire(import.meta.url).resolve("fastify"));
const folderOf = (name: string) => createRequire(ofFastify.resolve(name));
const compilers = folderOf("@fastify/ajv-compiler");
const { Ajv } = compilers("ajv");
const standalone = compilers("ajv/dist/standalone").default;
const fastJson = folderOf("@fastify/fast-json-stringify-compiler")("fast-json-stringify");

/** The schemas of all routes as text, and the named ones that they refer to. */
type Schemas = {
  readonly requests: Set<string>;
  readonly responses: Set<string>;
  readonly named: Map<string, object>;
};

/** A response: a schema, or one for each media type. */
type ResponseSchema = { readonly content?: Readonly<Record<string, { schema: object }>> };

const HEADER = `/** The JSON Schemas of all routes, as \`npm run embed\` compiles them. Not for editing. */
// @ts-nocheck
import { createRequire } from "node:module";

`;

const EXPORT = `/** Functions by the text of the schema. */
export const COMPILED: {
  readonly validators: Readonly<Record<string, unknown>>;
  readonly serializers: Readonly<Record<string, unknown>>;
} = compiled;
`;

/** Values are not coerced, dropped or filled in. An error contains the value that it is about. */
const VALIDATION = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allowUnionTypes: true,
  verbose: true,
  // What several routes refer to exists once.
  inlineRefs: false,
  addUsedSchema: false,
} as const;

/** The text of the module. */
export async function compiledSchemas(): Promise<string> {
  const schemas = await allSchemas();
  const code = await minified(`${validators(schemas)}\n${serializers(schemas)}`);
  return `${HEADER}${code}\n${EXPORT}`;
}

/** Collects them from servers that have all routes together. */
async function allSchemas(): Promise<Schemas> {
  const schemas = { requests: new Set<string>(), responses: new Set<string>(), named: new Map() };
  const onServer = (message: unknown) => collect((message as Created).fastify, schemas);
  subscribe(CREATED, onServer);
  const app = await createServer({
    service: createService({ rules: parseRules([{ name: "rules.yaml", text: "domain: any" }]) }),
    askRules: () => Promise.reject(new Error("nobody asks")),
    log: { level: "info", keys: false },
    metrics: { contentType: "text/plain", text: () => Readable.from([]) },
  });
  const admin = await createAdminServer({
    administration: {} as Administration,
    guard: "socket",
    host: undefined,
    clock: () => 0,
    warn: () => {},
  });
  unsubscribe(CREATED, onServer);
  // They fail where a schema is not compiled yet, but have added all routes by then.
  for (const one of [app, admin]) await Promise.resolve(one.ready()).catch(() => {});
  return schemas;
}

/** Where Fastify publishes each server that it creates. */
const CREATED = "fastify.initialization";
type Created = { readonly fastify: FastifyInstance };

function collect(app: FastifyInstance, { requests, responses, named }: Schemas): void {
  app.addHook("onRoute", function ({ schema }) {
    const { body, querystring, params, headers, response } = schema ?? {};
    for (const part of [body, querystring, params, headers])
      if (part) requests.add(JSON.stringify(part));
    for (const one of Object.values(response ?? {}).flatMap(partsOf)) {
      responses.add(JSON.stringify(one));
    }
    for (const [name, one] of Object.entries(this.getSchemas())) named.set(name, one as object);
  });
}

function partsOf(response: ResponseSchema): readonly object[] {
  const { content } = response;
  return content === undefined ? [response] : Object.values(content).map(({ schema }) => schema);
}

/** A module part that declares `validators`, by the text of the schema. */
function validators({ requests, named }: Schemas): string {
  const ajv = new Ajv({ ...VALIDATION, code: { source: true }, schemas: [...named.values()] });
  const names = new Map([...requests].map((text, index) => [text, `validator${index}`]));
  for (const [text, name] of names) ajv.addSchema(JSON.parse(text), name);
  const module = standalone(
    ajv,
    Object.fromEntries([...names.values()].map((name) => [name, name])),
  );
  return `${commonJs("checks", module)}\n${table("validators", names, (name) => `checks.${name}`)}`;
}

/** A module part that declares `serializers`, by the text of the schema. */
function serializers({ responses, named }: Schemas): string {
  const names = new Map([...responses].map((text, index) => [text, `serializer${index}`]));
  const modules = [...names].map(([text, name]) => {
    const schema = structuredClone(Object.fromEntries(named));
    return commonJs(name, fastJson(JSON.parse(text), { mode: "standalone", schema }));
  });
  return `${modules.join("\n")}\n${table("serializers", names, (name) => name)}`;
}

/** The exports of a CommonJS module as a variable. */
function commonJs(name: string, code: string): string {
  return `const ${name} = ((module) => { const exports = module.exports; ${code}\nreturn module.exports; })({ exports: {} });`;
}

type Names = ReadonlyMap<string, string>;

function table(variable: string, names: Names, codeOf: (name: string) => string): string {
  const lines = [...names].map(([text, name]) => `${JSON.stringify(text)}: ${codeOf(name)},`);
  return `const ${variable} = { ${lines.join("\n")} };`;
}

/** One expression. What the compilers' code requires stays in their packages. */
async function minified(parts: string): Promise<string> {
  const tables = `const compiled = ((require) => { ${parts}\nreturn { validators, serializers }; })`;
  const options = { minify: true, target: "es2024" } as const;
  const { code } = await transform(`${tables}(createRequire(import.meta.url));`, options);
  return code.trim();
}
