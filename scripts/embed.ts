/**
 * `npm run embed`: puts the Lua files of the Redis store and the SQL files of the Postgres store into
 * modules, so that they travel wherever code does, bundles included. A test compares the two.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { ASK, KIND_NUMBERS, STEPS } from "../packages/spillway/src/store/port/protocol.ts";
import { expanded, kindIncludes } from "./embed/sql.ts";

const STORES = new URL("../packages/spillway/src/stores/", import.meta.url);

/** A module that is made, and its text. */
export type Embedded = { readonly target: URL; readonly text: string };

/** The modules as the files beside them want them. */
export function embedded(): readonly Embedded[] {
  return [script(), install()];
}

/** A module's text as it is in the repository. */
export function present({ target }: Embedded): string {
  return readFileSync(target, "utf8");
}

/** The Lua files, without their comments: a server is sent them. */
function script(): Embedded {
  const source = included(new URL("redis/lua/take.lua", STORES))
    .replace(/^--numbers$/m, luaNumbers)
    .replace(/^ *--.*\n/gm, "")
    .replace(/\n{2,}/g, "\n")
    .trimStart();
  const sha1 = createHash("sha1").update(source).digest("hex");
  return {
    target: new URL("redis/script.generated.ts", STORES),
    text: `/** The Lua files beside this one, as \`npm run embed\` puts them together. Not for editing. */
export const SCRIPT = {
  sha1: "${sha1}",
  source: \`${quoted(source)}\`,
} as const;
`,
  };
}

/** The SQL files, with their comments: people review them. */
function install(): Embedded {
  const source = included(new URL("postgres/sql/install.sql", STORES));
  const steps = Object.values(STEPS);
  const protocol = { numbers: numbers(), kinds: KIND_NUMBERS, steps, ask: ASK };
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

/** The protocol's numbers, by what the ports call them. */
function numbers(): ReadonlyMap<string, number> {
  const kinds = Object.entries(KIND_NUMBERS);
  const steps = Object.entries(STEPS).map(([name, { number }]) => [name, number] as const);
  const all = [...kinds, ...steps, ["ask", ASK.length] as const];
  return new Map(all.map(([name, number]) => [name.toUpperCase().replace(" ", "_"), number]));
}

/** As local variables; `FIELDS` has how many numbers follow that of a step. */
function luaNumbers(): string {
  const all = [...numbers()];
  const fields = Object.values(STEPS).map(({ number, fields }) => `[${number}] = ${fields.length}`);
  return [
    `local ${all.map(([name]) => name).join(", ")} = ${all.map(([, number]) => number).join(", ")}`,
    `local FIELDS = { ${fields.join(", ")} }`,
  ].join("\n");
}

function included(file: URL): string {
  return readFileSync(file, "utf8")
    .replace(/^ *--include-kinds$/m, () => kindIncludes(KIND_NUMBERS))
    .replace(/^( *)--include (.+)$/gm, (_, margin: string, name: string) =>
      included(new URL(name, file))
        .trimEnd()
        .replace(/^(?=.)/gm, margin),
    );
}

/** As a template literal holds it. */
function quoted(source: string): string {
  return source.replace(/[\\`]|\$(?=\{)/g, "\\$&");
}

if (import.meta.main) for (const { target, text } of embedded()) writeFileSync(target, text);
