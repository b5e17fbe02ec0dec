/** What the library exports: each import, and the file that has it. */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { LIBRARY as PACKAGE } from "../names.mjs";
import { ROOT } from "../setup/places.mjs";

/** The library's folder. */
export const LIBRARY = join(ROOT, "packages", "spillway");

export type Subpath = {
  /** What a program imports, such as `spillway/redis`. */
  readonly name: string;
  /** Its source from the library's folder, such as `src/stores/redis/index.ts`. */
  readonly source: string;
  /** The page that TypeDoc makes of it, such as `stores/redis.md`. */
  readonly made: string;
  /** The page's name in `docs/reference`, such as `redis.md`. */
  readonly page: string;
};

type Manifest = { readonly exports: Readonly<Record<string, { readonly default?: string }>> };

export function subpaths(): readonly Subpath[] {
  const { exports } = JSON.parse(readFileSync(join(LIBRARY, "package.json"), "utf8")) as Manifest;
  return Object.entries(exports).flatMap(([key, { default: built }]) => {
    if (built === undefined) return [];
    const source = built.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts");
    const folder = posix.relative("src", source).replace(/(?<=.)\/index\.ts$|\.ts$/, "");
    const name = posix.join(PACKAGE, key);
    const page = key === "." ? "spillway.md" : `${key.slice(2).replaceAll("/", "-")}.md`;
    return [{ name, source, made: `${folder}.md`, page }];
  });
}
