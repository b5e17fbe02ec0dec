/** Every page of `docs` is listed: in `docs/README.md`, or in the README of its own folder. */
import { posix } from "node:path";
import type { Check } from "./finding.ts";
import { filesIn, type Tree } from "./tree.ts";

const INDEX = "docs/README.md";

/** The target of a link to a page, without its heading. */
const PAGES = /\]\(([^\s)#:]+\.md)/g;

export const indexPage: Check = (tree) => {
  const indexed = linksOf(tree, INDEX);
  return filesIn(tree, /^docs\/.+\.md$/)
    .map(([file]) => ({ file, home: `${posix.dirname(file)}/README.md` }))
    .filter(({ file }) => file !== INDEX && !indexed.has(file))
    .filter(({ file, home }) => !linksOf(tree, home).has(file))
    .map(({ file, home }) => ({
      file,
      line: 1,
      found: "a page that no index lists",
      expected: home === INDEX ? `a link in ${INDEX}` : `a link in ${INDEX} or ${home}`,
    }));
};

function linksOf(tree: Tree, file: string): ReadonlySet<string> {
  const links = [...(tree.get(file) ?? "").matchAll(PAGES)];
  return new Set(links.map(([, target = ""]) => posix.join(posix.dirname(file), target)));
}
