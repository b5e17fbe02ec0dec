/** Joins parts to keys. */
import { SpillwayError } from "../../limits/core/index.ts";

/** A part of a key: text, or a number, which is written as text. */
export type KeyPart = string | number | bigint;

/**
 * Joins parts to a key such as `"203.0.113.7|a@b.example"`. No two lists of parts give the same
 * key. Pure.
 *
 * The key of one part is the part itself, with `|` and `\` escaped. Use it to name a route's key in
 * calls such as `limiter.reset`.
 *
 * @throws SpillwayError `bad-key` if there are no parts, or if a part is neither text nor a finite
 * number
 */
export function joinKey(parts: readonly KeyPart[]): string {
  if (parts.length === 0) throw badPart(undefined);
  return parts.length === 1 ? written(parts[0]) : parts.map(written).join("|");
}

function written(part: unknown): string {
  if (typeof part === "string") return escaped(escaped(part, "\\"), "|");
  const isNumber = Number.isFinite(part) || typeof part === "bigint";
  if (!isNumber) throw badPart(part);
  return String(part);
}

/**
 * Escapes a character with a backslash. An expression takes five times as long on text with little
 * else to do.
 */
function escaped(text: string, character: "\\" | "|"): string {
  return text.includes(character) ? text.split(character).join(`\\${character}`) : text;
}

function badPart(value: unknown): SpillwayError {
  return new SpillwayError({
    code: "bad-key",
    field: "key",
    value,
    isPrivate: true,
    expected: "text, a number, or a list of them",
    hint: "For a value that a request may lack, write String(request.body?.email)",
  });
}
