/** Where each file of the repository is on the site. All functions are pure. */
import { posix } from "node:path";

/** Pages outside `docs` that have an address of their own, by their path in the repository. */
const OWN_ADDRESSES: ReadonlyMap<string, string> = new Map([
  ["README.md", "index.md"],
  ["docs/README.md", "docs.md"],
  ["CHANGELOG.md", "changelog.md"],
  ["CONTRIBUTING.md", "contributing.md"],
  ["SECURITY.md", "security.md"],
  ["LICENSE", "license.md"],
  ["llms.txt", "llms.txt"],
]);

/**
 * Returns the address of a page, or of a file that a page links to, relative to the site's root.
 *
 * `docs` is the root of the site. A source file becomes a page in `source/` that shows it.
 */
export function addressOf(path: string): string {
  const own = OWN_ADDRESSES.get(path);
  if (own !== undefined) return own;
  if (path.startsWith("docs/")) return asIndex(path.slice("docs/".length));
  return `source/${path.endsWith(".md") ? asIndex(path) : `${path}.md`}`;
}

/** The address of the page that lists a folder. */
export function folderAddress(path: string): string {
  return `source/${path}/index.md`;
}

/** Whether a file of the repository is a page of the documentation. */
export function isPage(path: string): boolean {
  return OWN_ADDRESSES.has(path) || /^docs\/.+\.md$/.test(path);
}

/** A README is what its folder's address shows. */
function asIndex(path: string): string {
  return posix.basename(path) === "README.md" ? posix.join(posix.dirname(path), "index.md") : path;
}

/** The relative link from one address to another. */
export function linkBetween({ from, to }: { readonly from: string; readonly to: string }): string {
  const link = posix.relative(posix.dirname(from), to);
  return link.startsWith(".") ? link : `./${link}`;
}
