/** Builds the site: pages from the repository, HTML from VitePress, then the check of what is built. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { build } from "vitepress";
import { deadLinks } from "../build/check-links.ts";
import { icon } from "../build/icon.ts";
import { type Pages, pagesOf } from "../build/pages.ts";
import { DIST, SITE, SOURCES } from "../build/places.ts";
import { CODE_STYLES, ICON, outlined } from "../build/policy.ts";
import { readRepository } from "../build/repository.ts";
import { codeClasses } from "./code-classes.ts";

/** @throws if a link of a page leads nowhere */
export async function buildSite(): Promise<void> {
  const pages = pagesOf(readRepository());
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
}

/** Components stand where a comment of a page names them; a forge shows the page without them. */
function forVitePress(pages: Pages): Pages {
  const texts = [...pages].map(([address, text]) => [
    address,
    text.replace(/^<!-- component: (\w+) -->$/gm, "<$1 />"),
  ]);
  return new Map(texts as [string, string][]);
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
