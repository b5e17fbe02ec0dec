import type { AskedKey } from "./space-saving.ts";

/**
 * Returns the entries of a descriptor that leads to a key, such as `user=ann`. Pure.
 *
 * They are read from the key, which has all values that its rule leaves open, so that requests need
 * not be kept. Values that share one budget are shown as their pattern.
 */
export function shownKey({ rule, key = "" }: AskedKey): string {
  const open = valuesIn(key);
  const next = () => open.shift() ?? "";
  return rule.path
    .map(({ key: name, value = "*", shares }) => {
      const shown = name.includes("*") ? next() : name;
      return `${shown}=${value.includes("*") && !shares ? next() : value}`;
    })
    .join(",");
}

/** Splits a key, in which each value stands after its length, such as `3:ann2:uk`. */
function valuesIn(key: string): string[] {
  const values: string[] = [];
  let rest = key;
  for (let colon = rest.indexOf(":"); colon > 0; colon = rest.indexOf(":")) {
    const end = colon + 1 + Number(rest.slice(0, colon));
    values.push(rest.slice(colon + 1, end));
    rest = rest.slice(end);
  }
  return values;
}
