/**
 * Booleans and numbers that are written as older YAML has them: `yes`, `on`, `1_000`, `0b11`. envoyproxy/ratelimit
 * reads them so. All pure.
 */
import { Scalar } from "yaml";

const TRUE = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|off|Off|OFF)$/;

/** True or false; undefined where it is neither, as in quotes. */
export function booleanOf(node: Scalar): boolean | undefined {
  if (typeof node.value === "boolean") return node.value;
  const { source = "" } = node;
  if (!isPlain(node)) return undefined;
  return TRUE.test(source) ? true : FALSE.test(source) ? false : undefined;
}

const NUMBER =
  /^([-+]?)(0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?)$/;
const WHOLE = /^(?:-0|\+?(?:\d[\d_]*|0[xob][\da-f_]+))$/i;
/** 8 to some readers, and 10 to others. */
const AMBIGUOUS = /^[-+]?0[\d_]+$/;

/** Whether readers of YAML take a number for different ones: `010`. */
export function isAmbiguous(node: Scalar): boolean {
  return isPlain(node) && AMBIGUOUS.test(node.source ?? "");
}

/** A number; undefined where it is none, or an ambiguous one. */
export function numberOf(node: Scalar): number | undefined {
  if (!isPlain(node)) return typeof node.value === "number" ? node.value : undefined;
  const [, sign, digits = ""] = NUMBER.exec(node.source ?? "") ?? [];
  if (isAmbiguous(node) || digits === "") return undefined;
  const number = Number(digits.replaceAll("_", ""));
  return sign === "-" ? 0 - number : number;
}

/** A whole number from 0 up that is written as one, and not as `1e3`. */
export function wholeOf(node: Scalar): number | undefined {
  return WHOLE.test(node.source ?? "") ? numberOf(node) : undefined;
}

function isPlain({ type, tag }: Scalar): boolean {
  return type === Scalar.PLAIN && tag === undefined;
}
