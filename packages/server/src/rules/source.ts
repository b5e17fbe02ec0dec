import { isAlias, type Node } from "yaml";
import type { RuleProblem } from "./problem.ts";
import { type Complaint, readYaml, type YamlDocument } from "./yaml-document.ts";

/** A rule file as it was read. */
export type RuleFile = {
  /** How messages name it. */
  readonly name: string;
  readonly text: string;
};

/** Fields and list items that one file may have, counting again what aliases repeat. */
const MOST_READ = 200_000;

/** A rule file being read: its nodes, their places, and what is wrong with them. */
export class Source {
  readonly #name: string;
  readonly #document: YamlDocument;
  /** By place and code, so that what several aliases lead to is told once. */
  readonly #problems = new Map<string, RuleProblem>();
  #read = 0;

  constructor({ name, text }: RuleFile) {
    this.#name = name;
    this.#document = readYaml(text);
    for (const { offset, complaint } of this.#document.faults) this.#note(offset, complaint);
  }

  /** Whether it is YAML at all. */
  get readable(): boolean {
    return this.#document.faults.length === 0;
  }

  /** The top of the document; null where it is empty. */
  get root(): Node | null {
    return this.#document.root;
  }

  /** Every mistake found so far, from the top of the file down. */
  get problems(): readonly RuleProblem[] {
    const problems = [...this.#problems.values()];
    return problems.sort((a, b) => a.line - b.line || a.column - b.column);
  }

  /** Notes a mistake at a node; none at the top of the file. */
  complain(node: Node | null, complaint: Complaint): void {
    if (this.#read <= MOST_READ) this.#note(offsetOf(node), complaint);
  }

  /** The line of a node, counted from 1. */
  lineOf(node: Node | null): number {
    return this.#place(offsetOf(node)).line;
  }

  /** The node itself, or what it is an alias of. */
  resolve(node: Node | null): Node | null {
    return isAlias(node) ? (this.#document.targets.get(node) ?? null) : node;
  }

  /** The items of a collection; none once aliases of aliases have made the file endless. */
  items<T>(node: Node, items: readonly T[]): readonly T[] {
    if (this.#read + items.length <= MOST_READ) {
      this.#read += items.length;
      return items;
    }
    this.complain(node, {
      code: "too-many-fields",
      found: "too many fields and list items",
      expected: `at most ${MOST_READ}, those that aliases repeat included`,
    });
    this.#read = Number.POSITIVE_INFINITY;
    return [];
  }

  #note(offset: number, { code, found, expected, hint }: Complaint): void {
    const { line, column } = this.#place(offset);
    const id = `${line}:${column} ${code}`;
    if (this.#problems.has(id)) return;
    this.#problems.set(id, { file: this.#name, line, column, code, found, expected, hint });
  }

  #place(offset: number): { readonly line: number; readonly column: number } {
    const { line, col } = this.#document.lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}
