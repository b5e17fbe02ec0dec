import { display, printable } from "spillway/support";
import { isMap, isScalar, isSeq, type Node } from "yaml";

/** The longest number or similar value to show, in characters. Longer ones are never meant. */
const LONGEST_SHOWN = 60;

/** Names a value for a message. Pure. */
export function describeNode(node: Node | null): string {
  if (isMap(node)) return "a map";
  if (isSeq(node)) return "a list";
  if (!isScalar(node) || node.value === null) return "nothing";
  if (typeof node.value === "string") return display(node.value);
  return printable(node.source ?? "a value", LONGEST_SHOWN);
}
