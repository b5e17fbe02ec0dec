/** Builds the site: pages from the repository, HTML from VitePress, then the check of what is built. */
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { build } from "vitepress";
import {
  CODE_STYLES,
  DIST,
  deadLinks,
  ICON,
  icon,
  outlined,
  type Pages,
  pagesOf,
  readRepository,
  SITE,
  SOURCES,
  type Tree,
} from "../build/index.ts";
import { codeClasses } from "../markdown/index.ts";

export type BuildOptions = {
  /** Whether to leave a site as it is that was built from the same files. */
  readonly ifChanged: boolean;
};

/** @throws if a link of a page leads nowhere */
export async function buildSite({ ifChanged }: BuildOptions): Promise<void> {
  const repository = readRepository();
  const digest = digestOf(repository);
  if (ifChanged && digest === builtFrom()) return;
  const pages = pagesOf(repository);
  for (const folder of [SOURCES, DIST]) rmSync(folder, { recursive: true, force: true });
  writeAll(SOURCES, forVitePress(pages));
  // VitePress looks for Vue from here.
  process.chdir(SITE);
  await build(SITE);
  writeAll(DIST, pages);
  writeAll(
    DIST,
    new Map([
      [CODE_STYLES, codeClasses().getCSS()],
      [ICON, icon()],
    ]),
  );
  applyPolicy();
  check();
  // Last, so that a build that was interrupted is not taken for whole.
  writeFileSync(NOTE, digest);
}

const NOTE = join(SITE, "dist", ".built-from");

function builtFrom(): string | undefined {
  return existsSync(NOTE) ? readFileSync(NOTE, "utf8") : undefined;
}

function digestOf(repository: Tree): string {
  const hash = createHash("sha256");
  for (const [path, text] of repository) hash.update(`${path}\0${text}\0`);
  return hash.digest("hex");
}

/** Components stand where a comment of a page names them; a forge shows the page without them. */
function forVitePress(pages: Pages): Pages {
  const texts = [...pages].map(([address, text]) => [address, withComponents(text)]);
  return new Map(texts as [string, string][]);
}

const COMPONENT = /^<!-- component: (\w+(?: \w+="[^"]*")*) -->$/gm;

function withComponents(text: string): string {
  const page = text.replace(COMPONENT, "<$1 />");
  // The playground itself takes the width of the outline.
  const isWide = /<(?:Limits|Processes|Shedding)Playground \/>/.test(page);
  return isWide ? `---\naside: false\npageClass: wide\n---\n\n${page}` : page;
}

function writeAll(folder: string, files: Pages): void {
  for (const [address, text] of files) {
    const file = join(folder, address);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function applyPolicy(): void {
  for (const file of globSync("**/*.html", { cwd: DIST })) {
    const toRoot = posix.relative(posix.dirname(file), ".");
    const html = readFileSync(join(DIST, file), "utf8");
    const page = outlined(html, toRoot === "" ? "" : `${toRoot}/`);
    writeFileSync(join(DIST, file), page.html);
    writeAll(DIST, page.scripts);
  }
}

function check(): void {
  const all = globSync("**/*", { cwd: DIST });
  const pages = all
    .filter((file) => file.endsWith(".html"))
    .map((file) => [file, readFileSync(join(DIST, file), "utf8")] as const);
  const dead = deadLinks({ pages: new Map(pages), files: new Set(all) });
  if (dead.length > 0) throw new Error(`${dead.length} dead links:\n${dead.join("\n")}`);
  console.log(`${pages.length} pages in ${DIST}`);
}
