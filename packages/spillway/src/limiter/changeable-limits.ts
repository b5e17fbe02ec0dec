import type { Limit, LimitMode, Limits, Timing } from "../limits/core/index.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import type { LimitUpdates } from "./plans.ts";

/** Removes a limit. Only limits whose names are of type `string` come and go. */
type Removal<L> = string extends keyof L ? null : never;

/** The limits of a limiter, which can change while the program runs. */
export abstract class ChangeableLimits<L extends Limits> {
  readonly #parts: Pick<LimiterParts<Timing>, "asks" | "changed">;

  /** Called by limiters only. */
  constructor(parts: Pick<LimiterParts<Timing>, "asks" | "changed">) {
    this.#parts = parts;
  }

  /** The limits as they are defined now, by name, for code that shows them to others. */
  get limits(): L {
    return this.#parts.asks.limits as L;
  }

  /** How each limit is enforced now, by name. */
  get modes(): { readonly [N in keyof L]: LimitMode } {
    return this.#parts.asks.modes as { readonly [N in keyof L]: LimitMode };
  }

  /**
   * Defines limits anew while the program runs, adds some, or removes them. Others stay.
   *
   * Nothing changes unless all definitions are valid. What keys have used counts under the new
   * ones. Leases and reservations stay as they were granted. Calls that wait for a lease go on
   * under the new definition. A limiter of limits that are not known in advance is a
   * `RateLimiter<Limits>`, which takes every name.
   *
   * `null` removes a limit; `undefined` is refused, so that a definition that is missing by mistake
   * removes nothing. A call with the name of a removed limit is `unknown-limit`, also one that
   * waits for a lease. Leases still end, and estimates are still settled. To stop a limit that
   * calls name, switch it off instead.
   *
   * @throws SpillwayError if a definition is invalid; `wrong-kind` for another kind of limit;
   * `unknown-limit` for a removal of none.
   * @example
   * limiter.update({ api: { kind: "token bucket", rate: 20, period: "1s" } });
   */
  update(
    limits: {
      readonly [N in keyof L]?: Extract<Limit, { kind: L[N]["kind"] }> | Removal<L>;
    },
  ): void {
    this.#parts.asks.update(limits as LimitUpdates);
    this.#parts.changed();
  }

  /**
   * Switches limits to another mode, in this process: all, one, or those of a group.
   *
   * The mode of one limit replaces that of its definition, until the limit is defined anew. The
   * modes of groups and of all only weaken: `"enforce"` ends what was set for them before. Limits
   * that come with a call as `config` have the mode that they say.
   *
   * @param scope One limit, or the name of a group. Default: all, also those defined later.
   * @throws SpillwayError `bad-mode`, `bad-option`, `unknown-limit`, `unknown-group`
   * @example
   * limiter.setMode("off", { limit: "search" });
   */
  setMode(
    mode: LimitMode,
    scope?: { readonly limit: keyof L & string } | { readonly group: string },
  ): void {
    this.#parts.asks.setMode(mode, scope);
    this.#parts.changed();
  }
}
