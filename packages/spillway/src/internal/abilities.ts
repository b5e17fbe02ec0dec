import type { Store } from "../limits/core/index.ts";

/** The members by which a store says what not every store can do. */
type Abilities = Pick<Store, "overrides" | "penalties">;

/** Returns what a store or an executor can do, for one that wraps it. */
export function abilities({ overrides, penalties }: Abilities): Abilities {
  return { ...(overrides && { overrides }), ...(penalties && { penalties }) };
}
