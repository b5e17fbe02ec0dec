/** Every link of the built site leads to a file of the site, and to a heading there. Pure. */
import { posix } from "node:path";

/** Built pages by their paths, and all other files of the site. */
export type BuiltSite = {
  readonly pages: ReadonlyMap<string, string>;
  readonly files: ReadonlySet<string>;
};

const TARGETS = /<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g;

/** Links that lead nowhere, or to another host without a click, as sentences. */
export function deadLinks(site: BuiltSite): readonly string[] {
  const anchors = new Map([...site.pages].map(([path, html]) => [path, idsOf(html)]));
  return [...site.pages].flatMap(([page, html]) => {
    const targets = new Set([...html.matchAll(TARGETS)].map(([, target = ""]) => target));
    return [...targets]
      .filter((target) => !leadsSomewhere({ site, anchors, page, target: decoded(target) }))
      .map((target) => `${page}: a link to ${target}, which is no page and no heading of the site`);
  });
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => decoded(id)));
}

function decoded(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

type BuiltLink = {
  readonly site: BuiltSite;
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
  readonly page: string;
  readonly target: string;
};

function leadsSomewhere({ site, anchors, page, target }: BuiltLink): boolean {
  if (/^(?:https?|mailto|data):/.test(target)) return true;
  // It would leave the sub-path that the site is under.
  if (target.startsWith("/")) return false;
  const [path = "", anchor = ""] = target.split("#");
  const file =
    path === "" ? page : fileOf(posix.join(posix.dirname(page), decodeURI(pathOnly(path))));
  if (anchor !== "") return anchors.get(file)?.has(decodeURIComponent(anchor)) ?? false;
  return site.files.has(file);
}

function pathOnly(path: string): string {
  return path.replace(/\?.*/, "");
}

/** The file that a host sends for a path. */
function fileOf(path: string): string {
  if (path === "." || path.endsWith("/")) return posix.join(path, "index.html");
  return path;
}
