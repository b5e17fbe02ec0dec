/**
 * `npm run embed`: puts the Lua files of the Redis store into a module, so that they travel wherever
 * code does, bundles included. A test compares the two.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const STORE = new URL("../packages/spillway/src/stores/redis/", import.meta.url);
const TARGET = new URL("script.generated.ts", STORE);

/** The module's text: what the Lua files say, without their comments. */
export function embedded(): string {
  const source = included("take.lua");
  const sha1 = createHash("sha1").update(source).digest("hex");
  return `/** The Lua files beside this one, as \`npm run embed\` puts them together. Not for editing. */
export const SCRIPT = {
  sha1: "${sha1}",
  source: \`${source.replace(/[\\`$]/g, "\\$&")}\`,
} as const;
`;
}

/** The module's text as it is in the repository. */
export function present(): string {
  return readFileSync(TARGET, "utf8");
}

function included(file: string): string {
  return readFileSync(new URL(`lua/${file}`, STORE), "utf8")
    .replace(/^( *)--include (.+)$/gm, (_, margin: string, name: string) =>
      included(name)
        .trimEnd()
        .replace(/^(?=.)/gm, margin),
    )
    .replace(/^ *--.*\n/gm, "")
    .replace(/\n{2,}/g, "\n")
    .trimStart();
}

if (import.meta.main) writeFileSync(TARGET, embedded());
