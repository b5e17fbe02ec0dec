import { isAlias, LineCounter, type Node } from "yaml";
import type { RuleCode } from "../error-codes.ts";
import { MOST_PROBLEMS, type RuleProblem, type UnplacedProblem, type Warning } from "./problem.ts";
import { readYaml, type YamlDocument } from "./yaml-document.ts";

/** A rule file as it was read. */
export type RuleFile = {
  /** The file's name in messages. */
  readonly name: string;
  readonly text: string;
};

/** The maximum number of fields and list items of a file. Those that aliases repeat count again. */
const MOST_READ = 200_000;
/**
 * The maximum number of characters in all descriptor names of a file. Those that aliases repeat
 * count again.
 */
const MOST_NAMED = 16 * 1024 * 1024;

/** A rule file while it is read: its nodes, their places, and the mistakes found. */
export class RuleSource {
  /** Whether it is valid YAML. */
  readonly readable: boolean;
  readonly #name: string;
  readonly #lines = new LineCounter();
  readonly #document: YamlDocument;
  readonly #problems: RuleProblem[] = [];
  readonly #warnings: RuleProblem[] = [];
  /**
   * The offsets of all mistakes by code: a mistake that several aliases repeat is reported once.
   */
  readonly #noted = new Map<RuleCode, Set<number>>();
  #read = 0;
  #named = 0;

  constructor({ name, text }: RuleFile) {
    this.#name = name;
    this.#document = readYaml(text, this.#lines, (offset, complaint) =>
      this.#note(offset, complaint),
    );
    this.readable = this.#noted.size === 0;
  }

  /** The top of the document; null if it is empty. */
  get root(): Node | null {
    return this.#document.root;
  }

  /** The first mistakes, ordered by their place in the file. */
  get problems(): readonly RuleProblem[] {
    return this.#problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  }

  /** The number of mistakes. */
  get count(): number {
    return [...this.#noted.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Reports a mistake at a node, or at the top of the file without one. */
  complain(node: Node | null, complaint: UnplacedProblem): void {
    if (this.#read <= MOST_READ) this.#note(offsetOf(node), complaint);
  }

  /** Reports something valid that is probably a mistake. */
  warn(node: Node, { code, found, expected }: Warning): void {
    if (this.#warnings.length >= MOST_PROBLEMS) return;
    const place = this.#place(offsetOf(node));
    this.#warnings.push({ file: this.#name, ...place, code, found, expected, hint: undefined });
  }

  /** The warnings reported so far. */
  get warnings(): readonly RuleProblem[] {
    return this.#warnings;
  }

  /** Returns the line of a node, counted from 1. */
  lineOf(node: Node | null): number {
    return this.#place(offsetOf(node)).line;
  }

  /** Returns the place of a node. */
  placeOf(node: Node | null): Pick<RuleProblem, "file" | "line" | "column"> {
    return { file: this.#name, ...this.#place(offsetOf(node)) };
  }

  /** Returns the node, or the target of an alias. */
  resolve(node: Node | null): Node | null {
    return isAlias(node) ? (this.#document.targets.get(node) ?? null) : node;
  }

  /**
   * Returns the items of a collection; none once nested aliases have exceeded the bound of the
   * file.
   */
  items<T>(node: Node, items: readonly T[]): readonly T[] {
    if (this.#read + items.length <= MOST_READ) {
      this.#read += items.length;
      return items;
    }
    this.complain(node, {
      code: "too-many-fields",
      found: "too many fields and list items",
      expected: `at most ${MOST_READ}, including those that aliases repeat`,
    });
    this.#read = Number.POSITIVE_INFINITY;
    return [];
  }

  /**
   * Counts the name of a descriptor. Returns false if all names together are too long, which is
   * reported.
   */
  admitsName(node: Node, length: number): boolean {
    this.#named += length;
    if (this.#named <= MOST_NAMED) return true;
    this.complain(node, {
      code: "too-long",
      found: "too many characters in the names of descriptors, each with the names above it",
      expected: `at most ${MOST_NAMED} characters together`,
    });
    this.#read = Number.POSITIVE_INFINITY;
    return false;
  }

  #note(offset: number, { code, found, expected, hint }: UnplacedProblem): void {
    const offsets = this.#noted.get(code) ?? new Set();
    if (offsets.has(offset)) return;
    this.#noted.set(code, offsets.add(offset));
    if (this.#problems.length >= MOST_PROBLEMS) return;
    const place = this.#place(offset);
    this.#problems.push({ file: this.#name, ...place, code, found, expected, hint });
  }

  #place(offset: number): { readonly line: number; readonly column: number } {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}
