/** The pages of the reference, as TypeDoc and its plugin for Markdown make them of the docstrings. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import { installBeside } from "../setup/beside.ts";
import { ROOT } from "../setup/places.mjs";
import { LIBRARY, type Subpath, subpaths } from "./subpaths.ts";

const TOOL = join(ROOT, "scripts", "reference", "node_modules", "typedoc", "bin", "typedoc");

const TABLES = ["parameters", "interfaceProperties", "typeAliasProperties", "classProperties"];

const OPTIONS = [
  "--plugin typedoc-plugin-markdown --router module --readme none --logLevel Error",
  "--excludePrivate --disableSources --skipErrorChecking --useCodeBlocks --expandParameters false",
  "--hideBreadcrumbs --hidePageHeader --hideGroupHeadings --hideGenerator --typeDeclarationFormat table",
  ...TABLES.map((of) => `--${of}Format table`),
].flatMap((line) => line.split(" "));

/** Texts by the names of their files. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  await installBeside("scripts/reference", "TypeDoc, for the reference pages, 48 MB");
  const folder = mkdtempSync(join(tmpdir(), "spillway-reference-"));
  try {
    const all = subpaths();
    await makeIn(folder, all);
    const texts = all.map((one) => [one.page, pageOf(folder, one, all)] as const);
    return new Map([["README.md", index(all, new Map(texts))], ...texts]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function makeIn(folder: string, all: readonly Subpath[]): Promise<void> {
  const entries = all.flatMap(({ source }) => ["--entryPoints", source]);
  const args = [TOOL, ...OPTIONS, "--tsconfig", "tsconfig.json", ...entries, "--out", folder];
  await promisify(execFile)(process.execPath, args, { cwd: LIBRARY });
}

/** A page with a heading of its own, and links to the pages' new names. */
function pageOf(folder: string, { name, made, page }: Subpath, all: readonly Subpath[]): string {
  const text = readFileSync(join(folder, made), "utf8");
  const pages = new Map(all.map((one) => [one.made, one.page]));
  const body = text
    .replace(/^# .*\n+/, "")
    .replaceAll(/\]\(([^)#\s]+\.md)(#[^)\s]*)?\)/g, (_, target: string, anchor = "") => {
      const found = posix.join(posix.dirname(made), target);
      return `](${pages.get(found) ?? found}${anchor})`;
    });
  return `# \`${name}\`\n\n${origin(page)}\n\n${withoutWrongNumbers(body).trimEnd()}\n`;
}

/** The plugin numbers a few names that are there only once: `#name-1`. */
function withoutWrongNumbers(text: string): string {
  const headings = [...text.matchAll(/^#+ (\w+)/gm)].map(([, name = ""]) => name.toLowerCase());
  return text.replaceAll(/\]\(#([a-z]\w*)-(\d+)\)/g, (link, name: string, number) => {
    const known = headings.filter((heading) => heading === name).length;
    return known === 1 && number === "1" ? `](#${name})` : link;
  });
}

/** Where it comes from, and the guide to the subject where there is one. */
function origin(page: string): string {
  const made = "Generated from the docstrings by `npm run reference`: not for editing.";
  const places = [page, page.replace(".md", "/README.md")];
  const folders = ["", "stores/", "middleware/", "moving/"];
  const guide = folders
    .flatMap((one) => places.map((place) => one + place.replace("-", "/")))
    .find((place) => existsSync(join(ROOT, "docs", place)));
  return guide === undefined ? made : `${made} [The guide](../${guide}) explains how to use it.`;
}

/** A line for each page, with the names that it has. */
function index(all: readonly Subpath[], texts: ReadonlyMap<string, string>): string {
  const rows = all.map(({ name, page }) => {
    const names = [...(texts.get(page) ?? "").matchAll(/^## (?:\\_)?([\w$]+)/gm)];
    const shown = names.map(([, one]) => `\`${one}\``).join(", ");
    return `| [\`${name}\`](${page}) | ${shown} |`;
  });
  return `# Reference

Every name that the library exports, with its types and options, as the docstrings describe them. The
[guides](../README.md) explain how to use them.

| import | names |
| --- | --- |
${rows.join("\n")}
`;
}
