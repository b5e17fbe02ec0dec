/** The links of a page: found, and led to addresses of the site. All functions are pure. */
import { posix } from "node:path";
import { addressOf, folderAddress, linkBetween } from "./addresses.ts";
import type { Tree } from "./repository.ts";

/** `](target)` and `[name]: target`, with what precedes the target. */
const LINKS = /(\]\(\s*<?|^\[[^\]\n]+\]:\s+<?)([^\s)>]+)/gm;

/** Code is shown, not linked. */
const CODE = /^(```+|~~~+)[\s\S]*?^\1|`[^`\n]+`/gm;

/** A text with every link replaced by what `replace` makes of its target. Code stays as it is. */
export function mapLinks(text: string, replace: (target: string) => string): string {
  const spans = [...text.matchAll(CODE)].map(({ 0: code, index }) => [index, index + code.length]);
  return text.replace(LINKS, (whole, start: string, target: string, offset: number) => {
    const inCode = spans.some(([from = 0, to = 0]) => offset >= from && offset < to);
    return inCode ? whole : start + replace(target);
  });
}

/** A link to a place of the repository: the path, and what follows it, such as "#heading". */
export type PlaceLink = { readonly path: string; readonly rest: string };

/** Reads a link of a page; undefined if it leads out of the repository, or stays on the page. */
export function placeOf(page: string, target: string): PlaceLink | undefined {
  if (/^(?:[a-z][a-z+.-]*:|\/\/|#)/i.test(target)) return undefined;
  const [, start = "", rest = ""] = /^([^#?]*)(.*)$/.exec(target) ?? [];
  const path = posix.join(posix.dirname(page), decodeURI(start)).replace(/\/$/, "");
  return { path, rest };
}

/** The address that a place of the repository has on the site; undefined if there is no such place. */
export function addressIn(tree: Tree, path: string): string | undefined {
  if (tree.has(path)) return isPicture(path) ? path.replace(/^docs\//, "") : addressOf(path);
  if (tree.has(`${path}/README.md`)) return addressOf(`${path}/README.md`);
  const isFolder = [...tree.keys()].some((file) => file.startsWith(`${path}/`));
  return isFolder ? folderAddress(path) : undefined;
}

/** Whether a file is a picture, which pages show rather than link to. */
export function isPicture(path: string): boolean {
  return /\.(?:svg|png)$/.test(path);
}

/** The text of a page, with its links leading to addresses of the site. */
export function relinked(
  tree: Tree,
  { path, text }: { readonly path: string; readonly text: string },
): string {
  const from = addressIn(tree, path) ?? path;
  return mapLinks(text, (target) => {
    const place = placeOf(path, target);
    const to = place === undefined ? undefined : addressIn(tree, place.path);
    // A link that leads nowhere stays, and fails the check of what is built.
    return to === undefined ? target : linkBetween({ from, to }) + (place?.rest ?? "");
  });
}

/** The places of the repository that a page links to. */
export function placesIn({
  path,
  text,
}: {
  readonly path: string;
  readonly text: string;
}): readonly string[] {
  const places: string[] = [];
  mapLinks(text, (target) => {
    const place = placeOf(path, target);
    if (place !== undefined) places.push(place.path);
    return target;
  });
  return places;
}

/** The name of a heading in links, as forges derive it. */
export function slug(heading: string): string {
  const text = heading.trim().toLowerCase();
  return text.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}
