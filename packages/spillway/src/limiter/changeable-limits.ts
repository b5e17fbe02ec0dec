import type { Limit, LimitMode, Limits } from "../limits/core/index.ts";
import type { Asks } from "./asks.ts";

/** The limits of a limiter, which can change while the program runs. */
export abstract class ChangeableLimits<L extends Limits> {
  readonly #asks: Asks;

  /** Called by limiters only. */
  constructor(asks: Asks) {
    this.#asks = asks;
  }

  /** The limits as they are defined now, by name, for code that shows them to others. */
  get limits(): L {
    return this.#asks.limits as L;
  }

  /** How each limit is enforced now, by name. */
  get modes(): { readonly [N in keyof L]: LimitMode } {
    return this.#asks.modes as { readonly [N in keyof L]: LimitMode };
  }

  /**
   * Defines limits anew while the program runs; null removes one. Others stay as they are.
   *
   * Nothing changes unless all definitions are valid. What keys have used counts under the new
   * ones. Calls under way, leases and reservations keep those under which they were made. A
   * limiter of limits that are not known in advance is a `RateLimiter<Limits>`, which takes every
   * name.
   *
   * @throws SpillwayError if a definition is invalid; `wrong-kind` for another kind of limit;
   * `unknown-limit` for the removal of a limit that there is not.
   * @example
   * limiter.update({ api: { kind: "token bucket", rate: 20, period: "1s" } });
   */
  update(limits: { readonly [N in keyof L]?: Limit | null }): void {
    this.#asks.update(limits as { readonly [name: string]: Limit | null });
  }

  /**
   * Switches limits to another mode, in this process: all, one, or those of a group.
   *
   * The mode of one limit replaces that of its definition. The modes of groups and of all only
   * weaken: `"enforce"` ends what was set for them before.
   *
   * @param scope One limit, or the name of a group. Default: all, also those defined later.
   * @throws SpillwayError `bad-mode`, `bad-option`, `unknown-limit`, `unknown-group`
   * @example
   * limiter.setMode("off", { limit: "search" });
   */
  setMode(
    mode: LimitMode,
    scope?: { readonly limit?: keyof L & string; readonly group?: string },
  ): void {
    this.#asks.setMode(mode, scope);
  }
}
