import { after } from "../internal/index.ts";
import { overrideCommand } from "../limits/algorithms/index.ts";
import type { Answer, Limits, Timing } from "../limits/core/index.ts";
import { ChangeableLimits } from "./changeable-limits.ts";
import {
  BLOCK_FIELDS,
  blockTime,
  checkOverrideOptions,
  KEY_FIELDS,
  OVERRIDE_FIELDS,
  reasonIn,
} from "./check-ask.ts";
import type { WithConfig } from "./contracts.ts";
import { type ExceptionPage, exceptionPage } from "./exceptions/exception-page.ts";
import { begun, ended } from "./exceptions/registered.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import type { BlockOptions, ExceptionsOptions, KeyOptions, OverrideOptions } from "./options.ts";

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
   * @throws SpillwayError `bad-block`, `bad-key`, `unknown-limit`; `no-register` for a reason on a
   * store that keeps none.
   */
  block(limit: string, options: WithConfig<BlockOptions>): Answer<M, void>;
  block(limit: keyof L & string, options: BlockOptions): Answer<M, void>;
  block(limit: string, options: BlockOptions): Answer<M, void> {
    const budget = this.#parts.asks.budget(limit, options, BLOCK_FIELDS);
    const ms = blockTime(limit, options);
    const reason = reasonIn(limit, options.reason, "bad-block");
    this.#parts.asks.noteLength(limit, options.for);
    const { store } = this.#parts;
    return begun<M>(store, { budget, type: "block", reason, ms }, () =>
      store.execute({ verb: "block", budgets: [budget], ms }),
    );
  }

  /** Ends a block early. Used units stay used. */
  unblock(limit: string, options: WithConfig<KeyOptions>): Answer<M, void>;
  unblock(limit: keyof L & string, options?: KeyOptions): Answer<M, void>;
  unblock(limit: string, options?: KeyOptions): Answer<M, void> {
    const budget = this.#parts.asks.budget(limit, options, KEY_FIELDS);
    const { store } = this.#parts;
    return ended<M>(store, { budget, type: "block" }, () =>
      store.execute({ verb: "unblock", budgets: [budget] }),
    );
  }

  /**
   * Gives a key a definition of its own in place of its limit's, for a time or until it is ended.
   * Replaces an earlier override.
   *
   * It is kept with the key's state, and decides from the next call on, also if calls come with a
   * `config`. Used units stay used. A block stays as well, and counts first. Not for limits with
   * `share` or `shards`.
   *
   * @throws SpillwayError `bad-override`, `no-overrides`, `bad-key`, `unknown-limit`; `no-register`
   * for a reason on a store that keeps none.
   * @example
   * await limiter.override("api", { key: customer, rate: 5000, for: "1h" });
   */
  override(limit: string, options: WithConfig<OverrideOptions>): Answer<M, void>;
  override(limit: keyof L & string, options: OverrideOptions): Answer<M, void>;
  override(limit: string, options: OverrideOptions): Answer<M, void> {
    const budget = this.#parts.asks.budget(limit, options, OVERRIDE_FIELDS);
    checkOverrideOptions(limit, options);
    const { store } = this.#parts;
    const command = overrideCommand(store, budget, options);
    const reason = reasonIn(limit, options.reason, "bad-override");
    this.#parts.asks.noteLength(limit, options.for);
    const beginning = { budget, type: "override", reason, ms: command.ms } as const;
    return begun<M>(store, beginning, () => this.#changed(store.execute(command)));
  }

  /** Ends the override of a key. Used units stay used. */
  endOverride(limit: string, options: WithConfig<KeyOptions>): Answer<M, void>;
  endOverride(limit: keyof L & string, options?: KeyOptions): Answer<M, void>;
  endOverride(limit: string, options?: KeyOptions): Answer<M, void> {
    const budget = this.#parts.asks.budget(limit, options, KEY_FIELDS);
    const { store } = this.#parts;
    const command = overrideCommand(store, budget);
    const end = () => this.#changed(store.execute(command));
    return ended<M>(store, { budget, type: "override" }, end);
  }

  /**
   * Lists who is blocked or overridden, and why: a page, ordered by limit, key and type.
   *
   * Lists what `block` and `override` were called for under the limits of this limiter, while it is
   * in force. A key of more than 256 UTF-16 units is listed by its digest. An exception that stays
   * is on one of the pages, and on no other, also if others come and go in between.
   *
   * @throws SpillwayError `no-register`, `bad-option`, `bad-key`, `unknown-limit`, `unknown-field`.
   * @example
   * const { exceptions, next } = await limiter.exceptions({ limit: "login" });
   * for (const { key, type, reason, endsAfter } of exceptions) show(key, type, reason, endsAfter);
   */
  exceptions(
    options: WithConfig<ExceptionsOptions> & { readonly limit: string },
  ): Answer<M, ExceptionPage>;
  exceptions(
    options?: ExceptionsOptions & { readonly limit?: keyof L & string },
  ): Answer<M, ExceptionPage>;
  exceptions(options: ExceptionsOptions = {}): Answer<M, ExceptionPage> {
    return exceptionPage(this.#parts, options);
  }

  /** Lets calls that wait for a lease ask again, after an override has begun or ended. */
  #changed(answer: Answer<M, undefined>): Answer<M, undefined> {
    return after(this.#parts.store.timing as M, answer, () => {
      this.#parts.changed();
      return undefined;
    });
  }
}
