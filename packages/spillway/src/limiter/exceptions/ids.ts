/** The ids of exceptions in a register: texts that sort by limit, key and type. All are pure. */
import { utf16Hex } from "../../internal/index.ts";
import type { Budget } from "../../limits/core/index.ts";

/** Whether an exception refuses a key, or changes its limit. */
export type ExceptionType = "block" | "override";

/** The key that an exception concerns; undefined for a limit's one global budget. */
export type ExceptionKey = { readonly limit: string; readonly key: string | undefined };

/** The ids between two texts, both excluded. */
export type IdRange = { readonly after: string; readonly before: string };

/** All ids: they begin with a hexadecimal digit or with a dot. */
export const ALL_IDS: IdRange = { after: "", before: "g" };
/** Replaces the key of a limit's global budget. It sorts before every key. */
const GLOBAL = "-";
const ID = /^((?:[0-9a-f]{4})*)\.(-|(?:[0-9a-f]{4})*)\.(block|override)$/;

/** Returns the id of an exception. UTF-16 units in hexadecimal sort as the texts do. */
export function idOf({ plan, key }: Budget, type: ExceptionType): string {
  return `${startOf({ limit: plan.limit, key })}${type}`;
}

/** Returns the range of the ids of one key. */
export function rangeOfKey({ plan, key }: Budget): IdRange {
  return beginningWith(startOf({ limit: plan.limit, key }));
}

/** Returns the range of the ids of all keys of a limit. */
export function rangeOfLimit(limit: string): IdRange {
  return beginningWith(`${utf16Hex(limit)}.`);
}

/** Returns the exception that an id stands for; undefined if the text is no id. */
export function exceptionAt(id: string): (ExceptionKey & { type: ExceptionType }) | undefined {
  const [, limit, key, type] = ID.exec(id) ?? [];
  if (limit === undefined || key === undefined) return undefined;
  return {
    limit: fromHex(limit),
    key: key === GLOBAL ? undefined : fromHex(key),
    type: type as ExceptionType,
  };
}

function startOf({ limit, key }: ExceptionKey): string {
  return `${utf16Hex(limit)}.${key === undefined ? GLOBAL : utf16Hex(key)}.`;
}

/** Returns the range of texts that go on after a dot. The next character is a slash. */
function beginningWith(start: string): IdRange {
  return { after: start, before: `${start.slice(0, -1)}/` };
}

function fromHex(hex: string): string {
  return hex.replace(/.{4}/g, (unit) => String.fromCharCode(Number.parseInt(unit, 16)));
}
