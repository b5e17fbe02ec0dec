/** The modes that were set while the program runs: of single limits, of groups, and of all. */
import { LIMIT_MODES, type LimitMode } from "../../limits/core/index.ts";

/** The limits that `setMode` concerns: one, those of a group, or all. */
export type ModeScope = { readonly limit?: string; readonly group?: string };

/** The mode and the groups in a limit's definition. */
export type DeclaredMode = { readonly declared: LimitMode; readonly groups: readonly string[] };

/** Finds the mode of each limit: that of its own, weakened by those of its groups and of all. */
export class ModeSwitches {
  #all: LimitMode = "enforce";
  readonly #groups = new Map<string, LimitMode>();
  readonly #limits = new Map<string, LimitMode>();

  /** Sets a mode for one limit, for a group, or for all. */
  set(mode: LimitMode, { limit, group }: ModeScope): void {
    if (limit !== undefined) this.#limits.set(limit, mode);
    else if (group !== undefined) this.#groups.set(group, mode);
    else this.#all = mode;
  }

  /** Forgets what was set for a limit that is defined anew. */
  forget(limit: string): void {
    this.#limits.delete(limit);
  }

  /** Returns how a limit is enforced: in the weakest of the modes that concern it. */
  modeOf(name: string, { declared, groups }: DeclaredMode): LimitMode {
    const own = this.#limits.get(name) ?? declared;
    const others = groups.map((group) => this.#groups.get(group) ?? "enforce");
    const all = [own, this.#all, ...others];
    return LIMIT_MODES[Math.max(...all.map((one) => LIMIT_MODES.indexOf(one)))] as LimitMode;
  }
}
