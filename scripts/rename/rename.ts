/** Writes new names of the packages into a text, where it means the packages. */
import { fileOf, literal, type Names } from "./names.ts";

/** Old and new names, and what `exports` of the library has, such as `redis`. */
export type Renaming = {
  readonly from: Names;
  readonly to: Names;
  readonly subpaths: readonly string[];
};

/** Pages in which `spillway` in backticks is not the package: a schema, a prefix, a command, a row of a table. */
const OTHER_MEANINGS =
  /^(?:bench\/|docs\/(?:reference|service|stores)[/.]|docs\/recipes\/postgres)/;

/**
 * Returns the text with the new names.
 *
 * The library's name is also that of a command, of a schema, of keys and of folders, which stay. So it is
 * replaced in imports, with a subpath, in manifests, in commands of npm, and in prose in backticks.
 *
 * @param path The file's, from the root: prose is found in Markdown and in texts.
 */
export function renamed(text: string, { path, ...names }: Renaming & { path: string }): string {
  const found = [...replacements(names), ...(isProse(path) ? [prose(names)] : [])];
  return found.reduce((all, [pattern, name]) => all.replace(pattern, () => name), text);
}

type Replacement = readonly [pattern: RegExp, name: string];

function replacements({ from, to, subpaths }: Renaming): readonly Replacement[] {
  const [library, server] = [literal(from.library), literal(from.server)];
  const known = subpaths.toSorted((a, b) => b.length - a.length).map(literal);
  const verbs = "from|import|module|mock|import\\(|require\\(|resolve\\(";
  const commands = "install|add|npm i|-w|--workspace";
  return [
    [tarball(from.server), fileOf(to.server)],
    [tarball(from.library), fileOf(to.library)],
    [new RegExp(`(?<![\\w@.-])${server}(?![\\w-])`, "g"), to.server],
    [new RegExp(`(?<![\\w@./-])${library}(?=/(?:${known.join("|")})(?![\\w/-]))`, "g"), to.library],
    [new RegExp(`(?<=\\b(?:${verbs})\\s*["'])${library}(?=["'])`, "g"), to.library],
    [new RegExp(`(?<="name": ")${library}(?=",\\n)`, "g"), to.library],
    [new RegExp(`(?<=")${library}(?=": "[~^]?\\d)`, "g"), to.library],
    [new RegExp(`(?<=\\b(?:${commands})\\s)${library}(?![\\w/.-])`, "g"), to.library],
    [new RegExp(`(?<=\\s(?:${commands})\\s)${library}(?![\\w/.-])`, "g"), to.library],
    [new RegExp(`(?<=\\bnode_modules/)${library}(?![\\w-])`, "g"), to.library],
  ];
}

function tarball(name: string): RegExp {
  return new RegExp(`(?<![\\w@-])${literal(fileOf(name))}(?=-\\d+\\.\\d+\\.\\d+\\S*\\.tgz)`, "g");
}

function isProse(path: string): boolean {
  return /\.(?:md|txt)$/.test(path) && !OTHER_MEANINGS.test(path);
}

function prose({ from, to }: Renaming): Replacement {
  return [new RegExp(`(?<=\`)${literal(from.library)}(?=\`)`, "g"), to.library];
}
