/** The site's navigation, read from the tables of `docs/README.md`. All functions are pure. */
import { addressIn, placeOf } from "./links.ts";
import type { Tree } from "./repository.ts";

export type SidebarItem = {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
};

const INDEX = "docs/README.md";

/** One group for each heading of the index, one entry for each row, in the index's order. */
export function sidebarOf(tree: Tree): readonly SidebarItem[] {
  const [, ...parts] = (tree.get(INDEX) ?? "").split(/^## /m);
  return parts.map((part, index) => {
    const [heading = "", ...lines] = part.split("\n");
    const rows = lines.filter((line) => line.startsWith("|")).slice(2);
    return { text: heading, collapsed: index > 0, items: rows.map((row) => itemOf(tree, row)) };
  });
}

function itemOf(tree: Tree, row: string): SidebarItem {
  const [, subject = "", cell = ""] = row.split(/(?<!\\)\|/).map((text) => text.trim());
  const links = linksIn(tree, cell);
  const [only] = links;
  if (only !== undefined && links.length === 1) return only;
  return { text: sentence(subject), collapsed: true, items: links };
}

/** The links of a cell that lead to different pages. */
function linksIn(tree: Tree, cell: string): readonly SidebarItem[] {
  const found = [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].flatMap(
    ([, text = "", target = ""]) => {
      const place = placeOf(INDEX, target);
      const address = place === undefined ? undefined : addressIn(tree, place.path);
      return address === undefined ? [] : [{ text: sentence(text), link: `/${routeOf(address)}` }];
    },
  );
  return found.filter(({ link }, at) => found.findIndex((other) => other.link === link) === at);
}

function routeOf(address: string): string {
  return address.replace(/(?:index)?\.md$/, "");
}

function sentence(text: string): string {
  const plain = text.replaceAll("`", "");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
