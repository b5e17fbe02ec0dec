/** Other names for the packages leave none of the old ones behind. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { literal, mistakeIn } from "../../rename/names.ts";
import { changed, KEPT, PRESENT, subpaths, type Texts, texts } from "../../rename/tree.ts";
import { ROOT } from "../../setup/places.mjs";

const TSC = join(ROOT, "node_modules/typescript/bin/tsc");

const IS_SOAK = Number(process.env.SPILLWAY_RUNS ?? 1) > 1;

const OTHER = { library: "@acme/dam", server: "@acme/dam-service" };

const before = texts();
const after: Texts = new Map([...before, ...changed(before, { from: PRESENT, to: OTHER })]);

/** Lines of all texts that match. */
function lines(all: Texts, pattern: RegExp): readonly string[] {
  const kept = [...all].filter(([path]) => !KEPT.test(path));
  return kept.flatMap(([path, text]) =>
    text.split("\n").flatMap((line) => (pattern.test(line) ? [`${path}: ${line}`] : [])),
  );
}

/** What the code of all texts imports, or declares modules of. */
function specifiers(all: Texts): (readonly [path: string, from: string | undefined])[] {
  const code = [...all].filter(([path]) => /\.[cm]?[jt]sx?$/.test(path) && !KEPT.test(path));
  return code.flatMap(([path, text]) =>
    [...text.matchAll(/\b(?:from|import|import\(|require\(|module)\s*["']([^"'\n]+)["']/g)].map(
      ([, from]) => [path, from] as const,
    ),
  );
}

/** What an import is to be called: by the names of packages, not as the texts are changed. */
function newName(from = ""): string {
  const [name = "", ...subpath] = from.split("/");
  if (name === PRESENT.server) return [OTHER.server, ...subpath].join("/");
  return name === PRESENT.library ? [OTHER.library, ...subpath].join("/") : from;
}

describe("with other names", () => {
  const library = literal(PRESENT.library);

  test("the service's name is nowhere", () => {
    const server = new RegExp(literal(PRESENT.server));
    expect(lines(before, server).length).toBeGreaterThan(20);
    expect(lines(after, server)).toEqual([]);
  });

  test("no subpath of the library has its old name", () => {
    const known = subpaths().map(literal).join("|");
    const subpath = new RegExp(`(?:^|[^\\w./-])${library}/(?:${known})\\b(?![./])`);
    expect(lines(before, subpath).length).toBeGreaterThan(500);
    expect(lines(after, subpath)).toEqual([]);
  });

  test("the way back restores every text", () => {
    const back = new Map([...after, ...changed(after, { from: OTHER, to: PRESENT })]);
    expect([...back].filter(([path, text]) => before.get(path) !== text)).toEqual([]);
  });

  test("every import of the packages has their new names, and no other import changes", () => {
    const found = specifiers(before).map(([path, from]) => [path, newName(from)]);
    const own = found.filter(([, from]) => from?.startsWith(OTHER.library));
    expect(own.length).toBeGreaterThan(500);
    expect(specifiers(after)).toEqual(found);
  });

  test("the packages have the new names, and the service depends on the library", () => {
    const manifest = (folder: string) =>
      JSON.parse(after.get(`packages/${folder}/package.json`) ?? "");
    expect([manifest("spillway").name, manifest("server").name]).toEqual(Object.values(OTHER));
    expect(Object.keys(manifest("server").dependencies)).toContain(OTHER.library);
  });

  // Takes as long as the check of types that `npm test` begins with, which fails for a wrong name after a real change.
  test.runIf(IS_SOAK)("a copy compiles, which finds the packages by their new names only", () => {
    const copy = mkdtempSync(join(tmpdir(), "spillway-renamed-"));
    try {
      for (const [path, text] of after) {
        mkdirSync(dirname(join(copy, path)), { recursive: true });
        writeFileSync(join(copy, path), text);
      }
      link(copy);
      for (const args of [["-b"], ["-p", "tsconfig.tests.json"]]) {
        execFileSync(process.execPath, [TSC, ...args], { cwd: copy, encoding: "utf8" });
      }
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});

/** What the clone has installed, but for its own packages, whose names are new. */
function link(copy: string): void {
  const [from, to] = [join(ROOT, "node_modules"), join(copy, "node_modules")];
  const own: readonly string[] = [PRESENT.library, PRESENT.server];
  mkdirSync(join(to, "@acme"), { recursive: true });
  for (const name of readdirSync(from)) {
    if (!own.includes(name)) symlinkSync(join(from, name), join(to, name));
  }
  symlinkSync(join(copy, "packages/spillway"), join(to, OTHER.library));
  symlinkSync(join(copy, "packages/server"), join(to, OTHER.server));
  const another = "scripts/nest-11/node_modules";
  symlinkSync(join(ROOT, another), join(copy, another));
}

test.each([
  [{ library: "Spillway", server: "spillway-server" }, '"Spillway" is no name'],
  [{ library: "@acme", server: "spillway-server" }, '"@acme" is no name'],
  [{ library: "dam", server: "dam" }, 'both packages would be "dam"'],
])("%j is refused", (names, said) => {
  expect(mistakeIn(names)).toContain(said);
  expect(() => changed(before, { from: PRESENT, to: names })).toThrow(said);
});
