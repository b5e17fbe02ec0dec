import { display } from "spillway/core";
import { isMap, isScalar, isSeq, type Node } from "yaml";

/** What a message calls a value. Pure. */
export function describeNode(node: Node | null): string {
  if (isMap(node)) return "a map";
  if (isSeq(node)) return "a list";
  if (!isScalar(node) || node.value === null) return "nothing";
  return typeof node.value === "string" ? display(node.value) : (node.source ?? "a value");
}
