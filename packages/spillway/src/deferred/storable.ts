/** What a queue in Postgres can keep of JSON. */

/** JSON escapes what `jsonb` refuses: U+0000, and halves of surrogate pairs. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Whether a value can be kept as `jsonb`. Pure. */
export function isStorable(value: unknown): boolean {
  return !UNSTORABLE.test(JSON.stringify(value) ?? "");
}
