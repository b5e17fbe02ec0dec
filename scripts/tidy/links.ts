/** Every link of a page to a place in the repository leads somewhere, to the heading. */
import { posix } from "node:path";
import type { Check, Finding } from "./finding.ts";
import { filesIn, lineAt, type Tree } from "./tree.ts";

/** `[text](target)`, `[name]: target`, `<img src="target">`. */
const LINKS = /\]\(\s*<?([^\s)>]+)|^\[[^\]]+\]:\s+<?([^\s>]+)|\b(?:src|href)="([^"]+)"/gm;

/** Code is shown, not linked. */
const CODE = /^(```+|~~~+)[\s\S]*?^\1|`[^`\n]+`/gm;

export const links: Check = (tree) =>
  filesIn(tree, /\.md$|^llms\.txt$/)
    .filter(([file]) => !file.includes("/fixtures/"))
    .flatMap(([file, text]) => {
      const prose = text.replace(CODE, (code) => code.replace(/[^\n]/g, " "));
      return [...prose.matchAll(LINKS)].flatMap(({ 1: plain, 2: named, 3: quoted, index }) =>
        broken({ tree, file, target: plain ?? named ?? quoted ?? "", line: lineAt(text, index) }),
      );
    });

type Link = {
  readonly tree: Tree;
  readonly file: string;
  readonly target: string;
  readonly line: number;
};

function broken({ tree, file, target, line }: Link): Finding[] {
  if (/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target)) return [];
  const [start = "", anchor = ""] = decodeURI(target).split("#");
  const path = start === "" ? file : pathOf(file, start.replace(/\?.*/, ""));
  const found = `a link to ${target}`;
  if (!leadsSomewhere(tree, path)) return [{ file, line, found, expected: "a file that exists" }];
  if (anchor === "" || !path.endsWith(".md")) return [];
  const headings = anchorsOf(tree.get(path) ?? "");
  if (headings.includes(anchor)) return [];
  return [{ file, line, found, expected: `a heading of ${path}: ${headings.join(", ")}` }];
}

function pathOf(file: string, target: string): string {
  const folder = target.startsWith("/") ? "" : posix.dirname(file);
  return posix.join(folder, target).replace(/^\/|\/$/g, "");
}

function leadsSomewhere(tree: Tree, path: string): boolean {
  if (path === "." || tree.has(path)) return true;
  return [...tree.keys()].some((file) => file.startsWith(`${path}/`));
}

/** What a link to a place of a page may name: headings, as GitHub calls them, and anchors in HTML. */
function anchorsOf(page: string): string[] {
  const written = [...page.matchAll(/<a id="([^"]+)"/g)].map(([, id = ""]) => id);
  return [...written, ...headingsOf(page)];
}

function headingsOf(page: string): string[] {
  const headings = [...page.matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = ""]) => slug(heading));
  return headings.map((name, at) => {
    const before = headings.slice(0, at).filter((other) => other === name).length;
    return before === 0 ? name : `${name}-${before}`;
  });
}

function slug(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return text.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}
