import { abandon, badOption, utf16Hex } from "../../internal/index.ts";
import type { Budget, Plan } from "../../limits/core/index.ts";
import { kindNumber } from "../port/protocol.ts";

/** Says which budgets are to be kept together: those with one tag share a slot of a cluster. */
export type HashTag = (budget: {
  readonly limit: string;
  readonly key: string | undefined;
}) => string;

/**
 * The names of budgets in Redis. No two budgets share one, whatever they are called, and all limits
 * of one key share a slot:
 *
 *     spillway:{6=user:1}:login           limit "login", key "user:1"
 *     spillway:{.login}:login             limit "login" without a key
 *     spillway:{3#org}6=user:1:login      limit "login", key "user:1", tag "org"
 */
export class RedisKeys {
  readonly #prefix: string;
  readonly #tag: HashTag | undefined;

  constructor(prefix: string, tag: HashTag | undefined) {
    this.#prefix = `${prefix}:{`;
    this.#tag = tag;
  }

  /** The key of a budget's state. */
  stateKey(budget: Budget): string {
    const { key } = budget;
    const { limit } = budget.plan;
    const name = limit.isWellFormed() ? `:${limit}` : `~${utf16Hex(limit)}`;
    const whose = key === undefined ? `.${name.slice(1)}` : counted(key, "=~");
    if (this.#tag === undefined) return `${this.#prefix}${whose}}${name}`;
    const tag = checked(this.#tag({ limit, key: (budget.shardOf ?? budget).key }));
    return `${this.#prefix}${counted(tag, "#!")}}${whose}${name}`;
  }

  /** Whether budgets have tags. */
  get hasTags(): boolean {
    return this.#tag !== undefined;
  }

  /** Names a budget's tag; returns the one slot there is. @throws SpillwayError `bad-option`; what it throws itself. */
  checkTag({ plan, key, shardOf }: Budget): number {
    const whose = shardOf === undefined ? key : shardOf.key;
    if (this.#tag !== undefined) checked(this.#tag({ limit: plan.limit, key: whose }));
    return 0;
  }

  /** The keys that a state is in, for a message. */
  shownKeys(stateKey: string, plan: Plan): string {
    const { list } = plan.algorithm;
    if (list === undefined) return `"${stateKey}"`;
    return `"${stateKey}" or its ${list} "${this.listKey(stateKey, plan)}"`;
  }

  /** The key of what a log, or leases, keep apart from their state, once that is much. */
  listKey(stateKey: string, plan: Plan): string {
    const at = this.#prefix.length - 2;
    return `${stateKey.slice(0, at)}+${definitionOf(plan)}${stateKey.slice(at + 1)}`;
  }
}

/** What is neither would be one tag for all, as a promise is. @throws SpillwayError `bad-option` */
function checked(tag: unknown): string {
  if (typeof tag === "string") return tag;
  if (typeof tag === "number") return String(tag);
  abandon(tag);
  throw badOption("tag", tag, "a function that returns text or a number, at once");
}

/** A text with its length before it, so that it is plain where it ends. */
function counted(text: string, [plain, encoded]: string): string {
  const wellFormed = text.isWellFormed();
  return `${text.length}${wellFormed ? `${plain}${text}` : `${encoded}${utf16Hex(text)}`}`;
}

/** What distinguishes a definition from others of the same limit: in values, and in the names of lists. */
export function definitionOf(plan: Plan): string {
  const { rate, period, capacity, maxReserved, start } = plan;
  const held = capacity === rate ? undefined : capacity;
  const debt = maxReserved === Number.POSITIVE_INFINITY ? undefined : maxReserved;
  const fields = [kindNumber(plan), rate, period, held, debt, start].map(toBase36);
  // Each value holds it: what is left out at the end says the same.
  return fields.join(",").replace(/(?:,-)+$/, "");
}

function toBase36(number: number | undefined): string {
  return number === undefined ? "-" : number.toString(36);
}
