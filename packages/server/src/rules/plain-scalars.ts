/**
 * Reads booleans and numbers in the notation of older YAML: `yes`, `on`, `1_000`, `0b11`. All
 * functions are pure.
 *
 * envoyproxy/ratelimit reads this notation.
 */
import { Scalar } from "yaml";

const TRUE = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|off|Off|OFF)$/;

/** Returns true or false; undefined if the scalar is neither, for example because it is quoted. */
export function booleanOf(node: Scalar): boolean | undefined {
  if (typeof node.value === "boolean") return node.value;
  const { source = "" } = node;
  if (!isPlain(node)) return undefined;
  return TRUE.test(source) ? true : FALSE.test(source) ? false : undefined;
}

const NUMBER =
  /^([-+]?)(0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?)$/;
const WHOLE = /^(?:-0|\+?(?:\d[\d_]*|0[xob][\da-f_]+))$/i;
/** Some readers read 010 as 8, others as 10. */
const AMBIGUOUS = /^[-+]?0[\d_]+$/;

/** Whether YAML readers disagree about a number, such as `010`. */
export function isAmbiguous(node: Scalar): boolean {
  return isPlain(node) && AMBIGUOUS.test(node.source ?? "");
}

/** Returns a number; undefined if the scalar is not a number, or is ambiguous. */
export function numberOf(node: Scalar): number | undefined {
  if (!isPlain(node)) return typeof node.value === "number" ? node.value : undefined;
  const [, sign, digits = ""] = NUMBER.exec(node.source ?? "") ?? [];
  if (isAmbiguous(node) || digits === "") return undefined;
  const number = Number(digits.replaceAll("_", ""));
  return sign === "-" ? 0 - number : number;
}

/** Returns a whole number from 0 that is written as one, not as `1e3`. */
export function wholeOf(node: Scalar): number | undefined {
  return WHOLE.test(node.source ?? "") ? numberOf(node) : undefined;
}

function isPlain({ type, tag }: Scalar): boolean {
  return type === Scalar.PLAIN && tag === undefined;
}
