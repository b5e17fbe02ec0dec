/** Parses YAML text into nodes that know their place. */
import { printable } from "spillway/support";
import { type Alias, type Document, isScalar, type LineCounter, type Node, visit } from "yaml";
import type { UnplacedProblem } from "./problem.ts";
import { composeText, type ReportProblem } from "./yaml-text.ts";

export type YamlDocument = {
  /** The top of the document; null if it is empty or invalid YAML. */
  readonly root: Node | null;
  /** The target node of each alias. */
  readonly targets: ReadonlyMap<Alias, Node>;
};

/** The longest file, in bytes. */
export const LONGEST_FILE = 1024 * 1024;

/** The longest text, name or number in a file, in characters. */
const LONGEST_TEXT = 4096;

const TOO_LARGE: UnplacedProblem = {
  code: "file-too-large",
  found: "a larger file",
  expected: `at most ${LONGEST_FILE} bytes`,
  hint: "Split it: a file holds one domain",
};

const TOO_LONG: UnplacedProblem = {
  code: "too-long",
  found: "a longer text",
  expected: `at most ${LONGEST_TEXT} characters`,
};

/**
 * Parses one YAML document and reports why it can't be read. Adds the starts of lines to `lines`.
 */
export function readYaml(text: string, lines: LineCounter, note: ReportProblem): YamlDocument {
  if (Buffer.byteLength(text) > LONGEST_FILE) {
    note(0, TOO_LARGE);
    return { root: null, targets: new Map() };
  }
  const document = composeText(text, lines, note);
  if (document === undefined) return { root: null, targets: new Map() };
  return { root: document.contents, targets: inspect(document, note) };
}

/**
 * Finds the last anchor before each alias. Reports aliases without one, and texts that are too
 * long.
 */
function inspect(document: Document, note: ReportProblem): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isScalar(node) && (node.source?.length ?? 0) > LONGEST_TEXT)
        note(node.range?.[0] ?? 0, TOO_LONG);
    },
    Alias: (_key, alias) => {
      const target = anchors.get(alias.source);
      if (target !== undefined) targets.set(alias, target);
      else note(alias.range?.[0] ?? 0, noAnchor(alias.source));
    },
  });
  return targets;
}

/** The longest name of an anchor in messages, in characters. */
const LONGEST_NAME = 60;

function noAnchor(name: string): UnplacedProblem {
  const shown = printable(name, LONGEST_NAME);
  const expected = `an anchor &${shown} above it`;
  return { code: "bad-yaml", found: `the alias *${shown}`, expected };
}
