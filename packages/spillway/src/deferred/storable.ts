/** Detects JSON that a queue in Postgres can't keep. */

/** The JSON escapes of characters that `jsonb` refuses: U+0000, and halves of surrogate pairs. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Whether `jsonb` can hold a value. Pure. */
export function isStorable(value: unknown): boolean {
  return !UNSTORABLE.test(JSON.stringify(value) ?? "");
}
