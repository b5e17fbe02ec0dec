/** The pages a reader sees, and the code in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../setup/places.mjs";

export { ROOT };

/** A page, by its path from the root. */
export type Page = { readonly path: string; readonly text: string };

/** The READMEs, of the repository and of the packages, the page for language models, and `docs` but for the reference, which is
 * made of docstrings. */
export function pages(): readonly Page[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.startsWith("reference"))
    .map((file) => join("docs", file));
  return [...READMES, ...docs].map((path) => ({ path, text: read(path) }));
}

const READMES = [
  "README.md",
  "llms.txt",
  "packages/spillway/README.md",
  "packages/server/README.md",
];

/** The text of a file, with plain line ends. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8").replaceAll("\r\n", "\n");
}

/** The code of a text's fences in one language. */
export function fences(text: string, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code = ""]) => code);
}

/** Code for a newer Node than the oldest promised, with the words that say so. */
const NEWER =
  /^(With Node 24, or compiled by TypeScript 5\.2 or newer,.*(?:\n.+)*\n\n)```ts\n([\s\S]*?)\n```$/gm;

/** The page without the code that says of itself that it needs a newer Node. */
export function withoutNewer({ path, text }: Page): Page {
  return { path, text: text.replaceAll(NEWER, "$1") };
}

/** The code of a page that says of itself that it needs a newer Node. */
export function newer({ text }: Page): readonly string[] {
  return [...text.matchAll(NEWER)].map(([, , code = ""]) => code);
}

/** A module to compile, by the name of its file. */
export type Module = { readonly name: string; readonly code: string };

/**
 * The modules of a page. A fence that begins with an import begins one; those that follow continue
 * it, each in a block of its own, so that they may use the same names. Programs with decorators, which
 * Node can't run as they are, are in the language "typescript".
 */
export function modules({ path, text }: Page, language = "ts"): readonly Module[] {
  const codes: string[] = [];
  for (const code of fences(text, language)) {
    const last = codes.length - 1;
    if (code.startsWith("import ") || last < 0) codes.push(code);
    else codes[last] += `\n{\n${code}\n}`;
  }
  const name = path.replaceAll(/[^a-zA-Z]/g, "-");
  const extension = language === "tsx" ? "tsx" : "ts";
  return codes.map((code, index) => ({ name: `${name}-${index + 1}.${extension}`, code }));
}
