/** Keys of several parts. */
import { SpillwayError } from "../../limits/core/index.ts";

/** A part of a key: text, or a number that is written as such. */
export type KeyPart = string | number | bigint;

/**
 * Joins parts to a key, so that no two lists of parts make the same one: `"203.0.113.7|a@b.example"`. Pure.
 *
 * The key of one part without `|` and `\` is the part. For `limiter.reset` and others, to name the
 * key that a route has used.
 *
 * @throws SpillwayError `bad-key` for a part that is neither text nor a number, such as one that is undefined
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

/** With a backslash before each: by an expression it takes five times as long where there is little else. */
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
    hint: "What a request may lack needs a value of its own: String(request.body?.email)",
  });
}
