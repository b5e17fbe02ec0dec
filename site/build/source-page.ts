/** Pages that show a source file, or list a folder. All functions are pure. */
import { posix } from "node:path";
import { addressOf, folderAddress, linkBetween } from "./addresses.ts";
import { addressIn } from "./links.ts";
import type { Tree } from "./repository.ts";

/** Languages of fences, by the end of a file's name, where the two differ. */
const LANGUAGES: Readonly<Record<string, string>> = {
  mjs: "js",
  conf: "nginx",
  cfg: "ini",
  nft: "text",
  service: "ini",
  dockerignore: "text",
  "": "text",
};

/** A page that shows a file. */
export function sourcePage(path: string, text: string): string {
  const fence = "`".repeat(
    Math.max(3, ...[...text.matchAll(/`+/g)].map(([all]) => all.length + 1)),
  );
  return `# ${path}\n\n${fence}${languageOf(path)}\n${text.trimEnd()}\n${fence}\n`;
}

function languageOf(path: string): string {
  const end = posix.extname(path).slice(1);
  return LANGUAGES[end] ?? end;
}

/** A page that lists what a folder holds. */
export function folderPage(tree: Tree, path: string) {
  const entries = [
    ...new Set(
      [...tree.keys()]
        .filter((file) => file.startsWith(`${path}/`))
        .map((file) => file.slice(path.length + 1).split("/")[0] ?? ""),
    ),
  ].sort();
  const from = folderAddress(path);
  const lines = entries.map((name) => {
    if (isGenerated(name)) return `- ${name}`;
    const to = addressIn(tree, `${path}/${name}`) ?? addressOf(`${path}/${name}`);
    return `- [${name}](${linkBetween({ from, to })})`;
  });
  const text = `# ${path}\n\n${lines.join("\n")}\n`;
  return {
    text,
    leadsTo: entries.filter((name) => !isGenerated(name)).map((name) => `${path}/${name}`),
  };
}

function isGenerated(name: string): boolean {
  return name === "fixtures";
}
