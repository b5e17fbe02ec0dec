/** Error codes are listed, raised and documented: each of the three names what the others name. */
import type { Check, Finding } from "./finding.ts";
import { modulesIn } from "./syntax.ts";
import { lineAt, type Tree } from "./tree.ts";

/** `list`: the file whose arrays hold the codes. `page`: where each has a heading or a table row. */
type Book = { readonly src: string; readonly list: string; readonly page: string };

const LIBRARY: Book = {
  src: "packages/spillway/src/",
  list: "limits/core/errors.ts",
  page: "docs/errors.md",
};

const SERVER: Book = {
  src: "packages/server/src/",
  list: "error-codes.ts",
  page: "docs/service/errors.md",
};

type Place = { readonly code: string; readonly file: string; readonly line: number };

export const errorCodes: Check = (tree) =>
  [LIBRARY, SERVER].flatMap((book) => {
    const listed = codesListed(tree, book);
    if (listed.length === 0) return [];
    return [
      ...betweenListAndCode({ tree, book, listed }),
      ...betweenListAndPage({ tree, book, listed }),
    ];
  });

type Comparison = { readonly tree: Tree; readonly book: Book; readonly listed: readonly Place[] };

function betweenListAndCode({ tree, book, listed }: Comparison): Finding[] {
  const strings = stringsIn(tree, book);
  // The library's own codes the server may list only to pass them on.
  const used = book === SERVER ? [...strings, ...codesListed(tree, LIBRARY)] : strings;
  const raised = strings.filter(({ field, code }) => field === "code" && CODE.test(code));
  return [
    ...without(listed, used).map((place) =>
      finding(place, `a use in ${book.src}, or no such code`),
    ),
    ...without(raised, listed).map((place) => finding(place, `a code listed in ${book.list}`)),
  ];
}

function betweenListAndPage({ tree, book, listed }: Comparison): Finding[] {
  if (!tree.has(book.page)) {
    const expected = "a page that explains every code";
    return [{ file: book.src + book.list, line: 1, found: `no ${book.page}`, expected }];
  }
  const documented = codesDocumented(tree, book);
  // A page may have other tables; only a name with a hyphen is surely meant as a code.
  const surely = documented.filter(({ code }) => code.includes("-"));
  return [
    ...without(listed, documented).map((place) => finding(place, `a place in ${book.page}`)),
    ...without(surely, listed).map((place) => finding(place, `a code listed in ${book.list}`)),
  ];
}

function without(places: readonly Place[], others: readonly Place[]): Place[] {
  const known = new Set(others.map(({ code }) => code));
  return places.filter(({ code }) => !known.has(code));
}

function finding({ code, file, line }: Place, expected: string): Finding {
  return { file, line, found: `the code ${code}`, expected };
}

/** What codes look like; a string that doesn't, such as a system's `EACCES`, is somebody else's. */
const CODE = /^[a-z]+(?:-[a-z]+)*$/;

function codesListed(tree: Tree, { src, list }: Book): Place[] {
  return modulesIn(tree, new RegExp(`^${src}${list}$`)).flatMap(([file, { literals }]) =>
    literals
      .filter(({ field }) => field === "[]")
      .map(({ value, line }) => ({ code: value, file, line })),
  );
}

function stringsIn(tree: Tree, { src }: Book): (Place & { readonly field: string | undefined })[] {
  return modulesIn(tree, new RegExp(`^${src}`)).flatMap(([file, { literals }]) =>
    literals
      .filter(({ field }) => field !== "[]")
      .map(({ value, field, line }) => ({ code: value, field, file, line })),
  );
}

const HEADING_OR_ROW = /^(?:#+ +|\| *)`([a-z]+(?:-[a-z]+)*)`/gm;

function codesDocumented(tree: Tree, { page }: Book): Place[] {
  const text = tree.get(page) ?? "";
  return [...text.matchAll(HEADING_OR_ROW)].map(({ 1: code = "", index }) => ({
    code,
    file: page,
    line: lineAt(text, index),
  }));
}
