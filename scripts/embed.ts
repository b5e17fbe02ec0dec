/**
 * `npm run embed`: puts the Lua files of the Redis store and the SQL files of the Postgres store into
 * modules, so that they travel wherever code does, bundles included, and the schemas of the service's
 * routes as compiled functions. A test compares the two.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import {
  ASK,
  KIND_NUMBERS,
  LENT_KIND_NUMBERS,
  SCRIPT_REPLY,
  SCRIPT_STEPS,
  STEPS,
} from "../packages/spillway/src/stores/port/protocol.ts";
import { minified } from "./embed/lua.ts";
import { compiledSchemas } from "./embed/schemas.ts";
import { expanded, kindIncludes } from "./embed/sql.ts";

const STORES = new URL("../packages/spillway/src/stores/", import.meta.url);

/** A module that is made, and its text. */
export type Embedded = { readonly target: URL; readonly text: string };

/** The modules as the files beside them want them. */
export async function embedded(): Promise<readonly Embedded[]> {
  return [scripts(), install(), await schemas()];
}

/** A module's text as it is in the repository. */
export function present({ target }: Embedded): string {
  return readFileSync(target, "utf8");
}

/** The Lua files of the states as one program, without their comments; or those of another script. */
export function luaProgram(script = "main"): string {
  const main = new URL(`redis/lua/${script}.lua`, STORES);
  return withIncludes(readFileSync(main, "utf8").replace(/^--kinds$/m, luaKinds), main)
    .replace(/^--numbers$/m, luaNumbers)
    .replace(/(?<=^ *)--fields$/m, luaFields)
    .replace(/^ *--.*\n/gm, "")
    .replace(/\n{2,}/g, "\n")
    .trimStart();
}

/** The programs in few bytes: a server is sent them. */
function scripts(): Embedded {
  return {
    target: new URL("redis/script.generated.ts", STORES),
    text: `/** The Lua files beside this one, as \`npm run embed\` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = ${scriptOf(luaProgram())};

/** The script of the register. */
export const REGISTER_SCRIPT = ${scriptOf(luaProgram("register"))};
`,
  };
}

function scriptOf(program: string): string {
  const source = minified(program);
  const sha1 = createHash("sha1").update(source).digest("hex");
  return `{
  sha1: "${sha1}",
  source: \`${quoted(source)}\`,
} as const`;
}

/** The schemas of the service's routes, as functions. */
async function schemas(): Promise<Embedded> {
  const target = new URL(
    "../packages/server/src/transports/http-api/schemas.generated.ts",
    import.meta.url,
  );
  return { target, text: await compiledSchemas() };
}

/** The SQL files, with their comments: people review them. */
function install(): Embedded {
  const source = included(new URL("postgres/sql/install.sql", STORES));
  const protocol = {
    numbers: numbers(),
    kinds: KIND_NUMBERS,
    lentKinds: LENT_KIND_NUMBERS,
    steps: STEPS,
    ask: ASK,
  };
  const { version, text } = expanded(source, protocol);
  return {
    target: new URL("postgres/install.generated.ts", STORES),
    text: `/** The SQL files beside this one, as \`npm run embed\` puts them together. Not for editing. */
export const INSTALL = \`${quoted(text)}\`;

/** Part of the names of all functions and types in it. */
export const VERSION = ${version};
`,
  };
}

type Steps = Readonly<Record<string, { number: number; fields: readonly string[] }>>;

/** The protocol's numbers, by what the ports call them. */
function numbers(all: Steps = STEPS): ReadonlyMap<string, number> {
  const kinds = [...Object.entries(KIND_NUMBERS), ...Object.entries(LENT_KIND_NUMBERS)];
  const steps = Object.entries(all).map(([name, { number }]) => [name, number] as const);
  const named = [...kinds, ...steps, ["ask", ASK.length] as const];
  return new Map(named.map(([name, number]) => [nameOf(name), number]));
}

function nameOf(text: string): string {
  return text.toUpperCase().replaceAll(" ", "_");
}

/** As local variables. */
function luaNumbers(): string {
  const all: [string, number][] = [...numbers(SCRIPT_STEPS)];
  for (const [part, { length }] of Object.entries(SCRIPT_REPLY)) {
    all.push([`REPLY_${nameOf(part)}`, length]);
  }
  all.push(["REPLY_CHARGED", SCRIPT_REPLY.head.indexOf("charged") + 1]);
  return `local ${all.map(([name]) => name).join(", ")} = ${all.map(([, number]) => number).join(", ")}`;
}

/** How many numbers follow that of a step. */
function luaFields(): string {
  const fields = Object.values(SCRIPT_STEPS).map(
    ({ number, fields }) => `[${number}] = ${fields.length}`,
  );
  return `FIELDS = { ${fields.join(", ")} }`;
}

/** The file of each kind, for calls that need it. Odd states may be of any kind. */
function luaKinds(): string {
  return Object.keys(KIND_NUMBERS)
    .map((kind) => {
      const file = `${kind.replaceAll(" ", "-")}.lua`;
      return `if odd or needed[${nameOf(kind)}] then\n  --include ${file}\nend`;
    })
    .join("\n");
}

function included(file: URL): string {
  const text = readFileSync(file, "utf8");
  return withIncludes(
    text.replace(/^( *)--include-kinds$/m, (_, margin: string) =>
      kindIncludes(KIND_NUMBERS).replace(/^/gm, margin),
    ),
    file,
  );
}

/** A text with what it includes, named from the file that it is in. */
function withIncludes(text: string, file: URL): string {
  return text.replace(/^( *)--include (.+)$/gm, (_, margin: string, name: string) =>
    included(new URL(name, file))
      .trimEnd()
      .replace(/^(?=.)/gm, margin),
  );
}

/** As a template literal holds it. */
function quoted(source: string): string {
  return source.replace(/[\\`]|\$(?=\{)/g, "\\$&");
}

if (import.meta.main) {
  for (const { target, text } of await embedded()) writeFileSync(target, text);
}
