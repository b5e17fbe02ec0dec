import { wholeKey } from "../../algorithms/index.ts";
import { type Budget, type Plan, utf16Hex } from "../../core/index.ts";
import { isListed, type PortRequest } from "../../store/index.ts";

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
    const name = limit.isWellFormed() ? `:${limit}` : `~${utf16Hex(limit)}`;
    const whose = key === undefined ? `.${name.slice(1)}` : counted(key, "=~");
    if (this.#tag === undefined) return `${this.#prefix}${whose}}${name}`;
    const tag = String(this.#tag({ limit, key: wholeKey({ plan, key }) }));
    return `${this.#prefix}${counted(tag, "#!")}}${whose}${name}`;
  }

  /** Names a budget's tag, if tags are used. @throws whatever the function for tags throws. */
  checkTag({ plan, key }: Budget): void {
    this.#tag?.({ limit: plan.limit, key: wholeKey({ plan, key }) });
  }

  /** The keys of the logs and leases among budgets, in their order. */
  logKeys({ names, plans, needsExtras }: PortRequest): readonly string[] {
    if (!needsExtras) return [];
    return names.filter((_, place) => isListed(plans[place])).map((name) => this.logKey(name));
  }

  /** The keys that a state is in, for a message. */
  shownKeys(stateKey: string, plan: Plan | undefined): string {
    if (!isListed(plan)) return `"${stateKey}"`;
    const what = plan?.kind === "concurrency" ? "its leases" : "its log";
    return `"${stateKey}" or ${what} "${this.logKey(stateKey)}"`;
  }

  /** The key of a sliding log's entries or a concurrency limit's leases, from that of its state. */
  logKey(stateKey: string): string {
    const at = this.#prefix.length - 2;
    return `${stateKey.slice(0, at)}+${stateKey.slice(at + 1)}`;
  }
}

/** A text with its length before it, so that it is plain where it ends. */
function counted(text: string, [plain, encoded]: string): string {
  const wellFormed = text.isWellFormed();
  return `${text.length}${wellFormed ? `${plain}${text}` : `${encoded}${utf16Hex(text)}`}`;
}
