/** YAML text made into nodes that know where they stand, or the reasons why it can't be. */
import {
  type Alias,
  type Document,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import type { RuleProblem } from "./problem.ts";

/** What is wrong, without the place. */
export type Complaint = Pick<RuleProblem, "code" | "found" | "expected"> & {
  readonly hint?: string | undefined;
};

export type YamlDocument = {
  /** The top of the document; null where it is empty or not YAML. */
  readonly root: Node | null;
  /** What each alias stands for. */
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly lines: LineCounter;
  /** Why the text could not be read, and the offset of each reason. */
  readonly faults: readonly Fault[];
};

type Fault = { readonly offset: number; readonly complaint: Complaint };

/** The longest file, in bytes. */
export const LONGEST_FILE = 1024 * 1024;

/** Reads one YAML document. Pure. */
export function readYaml(text: string): YamlDocument {
  const lines = new LineCounter();
  if (Buffer.byteLength(text) > LONGEST_FILE) {
    return { root: null, targets: new Map(), lines, faults: [{ offset: 0, complaint: TOO_LARGE }] };
  }
  // Duplicate fields are found later, so that they are told like everything else.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false };
  const document = parseDocument(text, options);
  const { targets, lost } = followAliases(document);
  const faults = [...faultsOf([...document.errors, ...document.warnings]), ...lost];
  return { root: faults.length === 0 ? document.contents : null, targets, lines, faults };
}

const TOO_LARGE: Complaint = {
  code: "file-too-large",
  found: "a larger file",
  expected: `at most ${LONGEST_FILE} bytes`,
  hint: "Split it: a file holds one domain",
};

const TOO_DEEP: Complaint = {
  code: "too-deep",
  found: "more levels than can be read",
  expected: "descriptors nested at most 16 levels",
};

/** A document that is too deep has an error at every level; the first one says it all. */
function faultsOf(errors: readonly YAMLError[]): readonly Fault[] {
  const deep = errors.find(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (deep !== undefined) return [{ offset: deep.pos[0], complaint: TOO_DEEP }];
  return errors.map(({ message, pos }) => {
    const found = `a syntax error (${message})`;
    return {
      offset: pos[0],
      complaint: { code: "bad-yaml", found, expected: "one YAML document" },
    };
  });
}

/** Each alias stands for the last anchor of its name before it; those without one are lost. */
function followAliases(document: Document) {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const lost: Fault[] = [];
  visit(document, {
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Alias: (_key, alias) => {
      const target = anchors.get(alias.source);
      if (target !== undefined) targets.set(alias, target);
      else lost.push({ offset: alias.range?.[0] ?? 0, complaint: noAnchor(alias.source) });
    },
  });
  return { targets, lost };
}

function noAnchor(name: string): Complaint {
  return { code: "bad-yaml", found: `the alias *${name}`, expected: `an anchor &${name} above it` };
}
