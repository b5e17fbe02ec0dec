/** The pages of the site, made of the repository's own. All functions are pure. */
import { posix } from "node:path";
import { addressOf, isPage } from "./addresses.ts";
import { addressIn, isPicture, placesIn, relinked } from "./links.ts";
import type { Tree } from "./repository.ts";
import { folderPage, sourcePage } from "./source-page.ts";

/** What the site consists of: texts by address. Pictures keep their own text. */
export type Pages = ReadonlyMap<string, string>;

/** Returns every page, with the source files and folders that pages lead to, however far. */
export function pagesOf(tree: Tree): Pages {
  const pages = new Map<string, string>();
  const waiting = [...tree.keys()].filter(isPage);
  const seen = new Set(waiting);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const page = pageOf(tree, path);
    if (page === undefined) continue;
    pages.set(page.address, page.text);
    for (const next of page.leadsTo) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return pages;
}

type SitePage = {
  readonly address: string;
  readonly text: string;
  /** Places of the repository. */
  readonly leadsTo: readonly string[];
};

function pageOf(tree: Tree, path: string): SitePage | undefined {
  const address = addressIn(tree, path);
  if (address === undefined) return undefined;
  const file = tree.has(path) ? path : `${path}/README.md`;
  const text = tree.get(file);
  if (text === undefined) return { address, ...folderPage(tree, path) };
  if (isPicture(file)) return { address, text, leadsTo: [] };
  if (!/\.md$|^llms\.txt$/.test(file)) {
    return { address: addressOf(file), text: sourcePage(file, text), leadsTo: [] };
  }
  const page = { path: file, text };
  return { address, text: relinked(tree, page), leadsTo: placesIn(page).map(posix.normalize) };
}
