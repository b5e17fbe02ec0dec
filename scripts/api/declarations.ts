/** What a report of API Extractor says of each exported name. Pure. */

/** The text of each exported name's declaration, and of all that it is made of and that has no export of its own. */
export type Declarations = ReadonlyMap<string, string>;

type Block = { readonly name: string; readonly text: string };

const DECLARED =
  /^(export )?(?:default |declare |abstract |async )*(?:class|interface|type|function|const|let|enum|namespace) ([\w$]+)/m;
const LISTED = /^export \{ ([^}]+) \}/m;

/**
 * Reads a report.
 *
 * @throws If a part of it is neither an import, nor a declaration, nor a remark.
 */
export function declarationsIn(report: string): Declarations {
  const parts = partsOf(report).map(withoutRemarks).filter(isDeclared);
  const inner = parts.filter((part) => !isExported(part)).flatMap(blocksOf);
  const exported = parts.filter(isExported).flatMap(blocksOf);
  const texts = new Map<string, string>();
  // An overloaded function has a declaration for each way to call it.
  for (const { name, text } of exported) {
    texts.set(name, [texts.get(name), text].filter(Boolean).join("\n"));
  }
  return new Map(
    [...texts].map(([name, text]) => [name, [text, ...reachedBy(text, inner)].join("\n")]),
  );
}

/**
 * Leaves out of each report what its own import does not export and another one does, and what only that leads to:
 * a change of it is a change there.
 */
export function withoutRepeats(reports: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const all = [...reports.values()].flatMap(partsOf).map(withoutRemarks);
  const exported = new Set(all.filter(isExported).map((part) => part.replace(/^export /, "")));
  return new Map([...reports].map(([file, report]) => [file, withOwn(report, exported)]));
}

function withOwn(report: string, elsewhere: ReadonlySet<string>): string {
  const parts = partsOf(report).map((part) => ({ part, text: withoutRemarks(part) }));
  const declared = parts.filter(({ text }) => isDeclared(text));
  const hidden = declared.filter(({ text }) => !isExported(text));
  const inner = hidden
    .filter(({ text }) => !elsewhere.has(text))
    .flatMap(({ text }) => blocksOf(text));
  const own = declared.filter(({ text }) => isExported(text)).map(({ text }) => text);
  const reached = new Set(reachedBy(own.join("\n"), inner));
  return hidden
    .filter(({ text }) => !reached.has(text))
    .reduce((text, { part }) => text.replace(`${part}\n\n`, () => ""), report);
}

const PROSE =
  /^[ \t]*\/\*\*(?:(?!@deprecated)[\s\S])*?\*\/\n|^[ \t]*\/\/ \(undocumented\)\n| \(undocumented\)/gm;

/** Leaves out the prose between members of types, and whether there is some: `docs/reference` has it. */
export function withoutProse(report: string): string {
  return report.replaceAll(PROSE, "");
}

/** The parts of a report between its fences. */
function partsOf(report: string): readonly string[] {
  const [, code = ""] = /^```ts\n([\s\S]*)^```$/m.exec(report) ?? [];
  return code.split(/\n{2,}/).map((part) => part.trim());
}

/** Whether something has prose is no matter of types. */
function withoutRemarks(part: string): string {
  const lines = part.split("\n");
  return lines.filter((line) => !/^\s*\/\/(?!.*@deprecated)/.test(line)).join("\n");
}

function isDeclared(part: string): boolean {
  return /^(?!import\b|\/\/)./m.test(part) && !part.startsWith("import ");
}

function isExported(part: string): boolean {
  return /^export /m.test(part);
}

function blocksOf(text: string): readonly Block[] {
  const [, , name] = DECLARED.exec(text) ?? [];
  if (name !== undefined) return [{ name, text }];
  const [, listed] = LISTED.exec(text) ?? [];
  if (listed === undefined) throw new Error(`an API report has a part that can't be read: ${text}`);
  return listed.split(",").map((one) => ({ name: one.trim().split(/ as /).at(-1) ?? "", text }));
}

/** The declarations without an export that a text leads to, in the report's order. */
function reachedBy(text: string, inner: readonly Block[]): readonly string[] {
  const found = new Set<Block>();
  const visit = (from: string) => {
    const words = new Set(from.match(/[\w$]+/g));
    for (const block of inner) {
      if (found.has(block) || !words.has(block.name)) continue;
      found.add(block);
      visit(block.text);
    }
  };
  visit(text);
  return inner.filter((block) => found.has(block)).map((block) => block.text);
}
