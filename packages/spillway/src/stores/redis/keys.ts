import { wholeKey } from "../../algorithms/index.ts";
import type { Budget } from "../../core/index.ts";

/** Says which budgets are to be kept together: those with one tag share a slot of a cluster. */
export type Tag = (budget: { readonly limit: string; readonly key: string | undefined }) => string;

/**
 * The names of budgets in Redis. No two budgets share one, whatever they are called, and all limits
 * of one key share a slot:
 *
 *     spillway:{6=user:1}:login           limit "login", key "user:1"
 *     spillway:{.login}:login             limit "login" without a key
 *     spillway:{3#org}6=user:1:login      limit "login", key "user:1", tag "org"
 */
export class Keys {
  readonly #prefix: string;
  readonly #tag: Tag | undefined;

  constructor(prefix: string, tag: Tag | undefined) {
    this.#prefix = `${prefix}:{`;
    this.#tag = tag;
  }

  /** The key of a budget's state. */
  stateKey({ plan, key }: Budget): string {
    const limit = plan.limit;
    const name = limit.isWellFormed() ? `:${limit}` : `~${hex(limit)}`;
    const whose = key === undefined ? `.${name.slice(1)}` : counted(key, "=~");
    if (this.#tag === undefined) return `${this.#prefix}${whose}}${name}`;
    const tag = String(this.#tag({ limit, key: wholeKey({ plan, key }) }));
    return `${this.#prefix}${counted(tag, "#!")}}${whose}${name}`;
  }

  /** Names a budget's tag, if tags are used. @throws whatever the function for tags throws. */
  checkTag({ plan, key }: Budget): void {
    this.#tag?.({ limit: plan.limit, key: wholeKey({ plan, key }) });
  }

  /** The key of a sliding log's entries, from that of its state. */
  logKey(stateKey: string): string {
    const at = this.#prefix.length - 2;
    return `${stateKey.slice(0, at)}+${stateKey.slice(at + 1)}`;
  }
}

/** A text with its length before it, so that it is plain where it ends. */
function counted(text: string, [plain, encoded]: string): string {
  const wellFormed = text.isWellFormed();
  return `${text.length}${wellFormed ? `${plain}${text}` : `${encoded}${hex(text)}`}`;
}

/** UTF-16 units as they are, for text that UTF-8 can't carry: half a surrogate pair. */
function hex(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return units.map((unit) => unit.toString(16).padStart(4, "0")).join("");
}
