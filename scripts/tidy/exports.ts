/** An export has a folder, a page and a test: none stands alone. */
import { posix } from "node:path";
import type { Check, Finding } from "./finding.ts";
import { filesIn, lineOf, type Tree } from "./tree.ts";

const HOME = "packages/spillway";
const MANIFEST = `${HOME}/package.json`;

/** What the package itself is about, where `.` has its page and its test. */
const MAIN = "limiter";

/** Folders of pages that are named as exports are. */
const GROUPS = ["stores/", "middleware/", "moving/"];

export const exports: Check = (tree) => {
  const manifest = tree.get(MANIFEST) ?? "{}";
  const subpaths = readSubpaths(manifest);
  const folders = new Set(subpaths.map(({ folder }) => folder));
  return [
    ...subpaths.flatMap((subpath) => incomplete({ tree, manifest, subpath })),
    ...hidden(tree, folders),
    ...stray(tree, subpaths),
  ];
};

/** A key of `exports` and the folder of src that it opens, by its index or a shorter list; "" is src itself. */
type Subpath = { readonly name: string; readonly folder: string };

function readSubpaths(manifest: string): Subpath[] {
  const entries: [string, { default: string }][] = Object.entries(
    JSON.parse(manifest).exports ?? {},
  );
  return entries.map(([name, target]) => ({
    name,
    folder: posix.relative("dist", posix.dirname(target.default)),
  }));
}

type Place = { readonly tree: Tree; readonly manifest: string; readonly subpath: Subpath };

function incomplete({ tree, manifest, subpath: { name, folder } }: Place): Finding[] {
  const subject = folder === "" ? MAIN : folder;
  const wanted: Record<string, readonly string[]> = {
    "an index": [`${HOME}/src/${folder === "" ? "" : `${folder}/`}index.ts`],
    "a page": pagesOf(name),
    "a test": [`${HOME}/test/${subject}.test.ts`, `${HOME}/test/${subject}/`],
  };
  return Object.entries(wanted)
    .filter(([, places]) => !places.some((place) => exists(tree, place)))
    .map(([what, places]) => ({
      file: MANIFEST,
      line: lineOf(manifest, `"${name}":`),
      found: `"${name}" without ${what}`,
      expected: places.join(" or "),
    }));
}

/** Where the page of an export may be. */
function pagesOf(name: string): readonly string[] {
  const subject = name === "." ? MAIN : name.slice("./".length);
  return ["", ...GROUPS].flatMap((group) => [
    `docs/${group}${subject}.md`,
    `docs/${group}${subject}/README.md`,
  ]);
}

function exists(tree: Tree, place: string): boolean {
  return (
    tree.has(place) ||
    (place.endsWith("/") && [...tree.keys()].some((path) => path.startsWith(place)))
  );
}

/** Rooms that only other rooms enter. */
const INNER = new Set([
  "internal",
  "http/advice",
  "http/moving",
  "stores/shared",
  "stores/postgres/clients",
]);

/** Folders with an index that nothing exports. */
function hidden(tree: Tree, folders: ReadonlySet<string>): Finding[] {
  const index = tree.get(`${HOME}/src/index.ts`) ?? "";
  return filesIn(tree, new RegExp(`^${HOME}/src/.+/index\\.ts$`))
    .map(([file]) => ({ file, folder: file.slice(`${HOME}/src/`.length, -"/index.ts".length) }))
    .filter(
      ({ folder }) =>
        !folders.has(folder) && !INNER.has(folder) && !index.includes(`"./${folder}/index.ts"`),
    )
    .map(({ file, folder }) => ({
      file,
      line: 1,
      found: `${folder}, exported by nothing`,
      expected: `it in ${MANIFEST}'s exports or in src/index.ts`,
    }));
}

/** Pages of stores and middleware that there are none of. */
function stray(tree: Tree, subpaths: readonly Subpath[]): Finding[] {
  const names = new Set(subpaths.map(({ name }) => name));
  return filesIn(tree, /^docs\/(?:stores|middleware)\/(?!README)[^/]+\.md$/)
    .map(([file]) => ({ file, name: `./${file.split("/").at(-1)?.slice(0, -".md".length)}` }))
    .filter(({ name }) => !names.has(name))
    .map(({ file, name }) => ({
      file,
      line: 1,
      found: "a page about nothing",
      expected: `an export ${JSON.stringify(name)} in ${MANIFEST}`,
    }));
}
