import { type Mode, SpillwayError, type Store } from "../core/index.ts";

const METHODS = [
  "limit",
  "check",
  "limitAll",
  "checkAll",
  "settle",
  "release",
  "renew",
  "value",
  "look",
  "reset",
  "block",
  "unblock",
] as const;
const MODES: readonly unknown[] = ["now", "later"] satisfies Mode[];

/** @throws SpillwayError `bad-store` */
export function checkStore<S extends Store>(store: S): S {
  const missing = METHODS.find((method) => typeof store?.[method] !== "function");
  if (missing === undefined && MODES.includes(store.mode)) return store;
  throw new SpillwayError({
    code: "bad-store",
    field: "store",
    value: store,
    expected:
      missing === undefined
        ? 'a store whose mode is "now" or "later"'
        : `a store, which has a method ${missing}`,
    hint: "Pass what memoryStore() returns, not a driver or a class",
  });
}
