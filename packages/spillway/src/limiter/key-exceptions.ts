import { after } from "../internal/index.ts";
import { overrideCommand } from "../limits/algorithms/index.ts";
import type { Answer, CommandOf, Limits, Timing } from "../limits/core/index.ts";
import { ChangeableLimits } from "./changeable-limits.ts";
import {
  BLOCK_FIELDS,
  blockTime,
  checkOverrideOptions,
  KEY_FIELDS,
  OVERRIDE_FIELDS,
} from "./check-ask.ts";
import type { WithConfig } from "./contracts.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import type { BlockOptions, KeyOptions, OverrideOptions } from "./options.ts";

/** The calls that make an exception of a key: blocks and overrides. */
export abstract class KeyExceptions<
  L extends Limits,
  M extends Timing,
> extends ChangeableLimits<L> {
  readonly #parts: Pick<LimiterParts<M>, "asks" | "store" | "changed">;

  /** Called by limiters only. */
  constructor(parts: Pick<LimiterParts<M>, "asks" | "store" | "changed">) {
    super(parts);
    this.#parts = parts;
  }

  /**
   * Refuses all calls of a key for a time, with reason `blocked`. Replaces an earlier block.
   *
   * @throws SpillwayError `bad-block`, `bad-key`, `unknown-limit`.
   */
  block(limit: string, options: WithConfig<BlockOptions>): Answer<M, void>;
  block(limit: keyof L & string, options: BlockOptions): Answer<M, void>;
  block(limit: string, options: BlockOptions): Answer<M, void> {
    const budget = this.#parts.asks.budget(limit, options, BLOCK_FIELDS);
    const ms = blockTime(limit, options);
    this.#parts.asks.noteLength(limit, options.for);
    return this.#parts.store.execute({ verb: "block", budgets: [budget], ms });
  }

  /** Ends a block early. Used units stay used. */
  unblock(limit: string, options: WithConfig<KeyOptions>): Answer<M, void>;
  unblock(limit: keyof L & string, options?: KeyOptions): Answer<M, void>;
  unblock(limit: string, options?: KeyOptions): Answer<M, void> {
    const budget = this.#parts.asks.budget(limit, options, KEY_FIELDS);
    return this.#parts.store.execute({ verb: "unblock", budgets: [budget] });
  }

  /**
   * Gives a key a definition of its own in place of its limit's, for a time or until it is ended.
   * Replaces an earlier override.
   *
   * It is kept with the key's state, and decides from the next call on, also if calls come with a
   * `config`. Used units stay used. A block stays as well, and counts first. Not for limits with
   * `share` or `shards`.
   *
   * @throws SpillwayError `bad-override`, `no-overrides`, `bad-key`, `unknown-limit`.
   * @example
   * await limiter.override("api", { key: customer, rate: 5000, for: "1h" });
   */
  override(limit: string, options: WithConfig<OverrideOptions>): Answer<M, void>;
  override(limit: keyof L & string, options: OverrideOptions): Answer<M, void>;
  override(limit: string, options: OverrideOptions): Answer<M, void> {
    const budget = this.#parts.asks.budget(limit, options, OVERRIDE_FIELDS);
    checkOverrideOptions(limit, options);
    const command = overrideCommand(this.#parts.store, budget, options);
    this.#parts.asks.noteLength(limit, options.for);
    return this.#override(command);
  }

  /** Ends the override of a key. Used units stay used. */
  endOverride(limit: string, options: WithConfig<KeyOptions>): Answer<M, void>;
  endOverride(limit: keyof L & string, options?: KeyOptions): Answer<M, void>;
  endOverride(limit: string, options?: KeyOptions): Answer<M, void> {
    const budget = this.#parts.asks.budget(limit, options, KEY_FIELDS);
    return this.#override(overrideCommand(this.#parts.store, budget));
  }

  /** Sends an override. Calls that wait for a lease then ask again. */
  #override(command: CommandOf<"override">): Answer<M, void> {
    const { store } = this.#parts;
    return after(store.timing as M, store.execute(command), () => this.#parts.changed());
  }
}
