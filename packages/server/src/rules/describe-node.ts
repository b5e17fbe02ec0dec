import { display, printable } from "spillway/support";
import { isMap, isScalar, isSeq, type Node } from "yaml";

/** A number or the like, in characters: nobody writes a longer one on purpose. */
const LONGEST_SHOWN = 60;

/** A value's name in messages. Pure. */
export function describeNode(node: Node | null): string {
  if (isMap(node)) return "a map";
  if (isSeq(node)) return "a list";
  if (!isScalar(node) || node.value === null) return "nothing";
  if (typeof node.value === "string") return display(node.value);
  return printable(node.source ?? "a value", LONGEST_SHOWN);
}
