import { abandon, badOption, utf16Hex } from "../../internal/index.ts";
import type { Budget, Plan } from "../../limits/core/index.ts";
import { kindNumber } from "../port/protocol.ts";

/** Returns the tag of a budget. Budgets with the same tag share a slot of a cluster. */
export type HashTag = (budget: {
  readonly limit: string;
  readonly key: string | undefined;
}) => string;

/**
 * The names of budgets in Redis. Different budgets always have different names.
 *
 * Without tags, all limits of one key share a slot:
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

  /** Returns the key of a budget's state. */
  stateKey(budget: Budget): string {
    const { key } = budget;
    const { limit } = budget.plan;
    const name = limit.isWellFormed() ? `:${limit}` : `~${utf16Hex(limit)}`;
    const whose = key === undefined ? `.${name.slice(1)}` : counted(key, "=~");
    if (this.#tag === undefined) return `${this.#prefix}${whose}}${name}`;
    const tag = checked(this.#tag({ limit, key: (budget.shardOf ?? budget).key }));
    return `${this.#prefix}${counted(tag, "#!")}}${whose}${name}`;
  }

  /** Returns the keys of the register: in one slot, and never those of a budget. */
  registerKeys(): string[] {
    return ["ids", "entries", "ends"].map((part) => `${this.#prefix}exceptions}:${part}`);
  }

  /** Whether budgets have tags. */
  get hasTags(): boolean {
    return this.#tag !== undefined;
  }

  /**
   * Checks a budget's tag. Returns 0, the only slot. @throws SpillwayError `bad-option`, and errors
   * of the tag function.
   */
  checkTag({ plan, key, shardOf }: Budget): number {
    const whose = shardOf === undefined ? key : shardOf.key;
    if (this.#tag !== undefined) checked(this.#tag({ limit: plan.limit, key: whose }));
    return 0;
  }

  /** Returns the keys that hold a state, for a message. */
  shownKeys(stateKey: string, plan: Plan): string {
    const { list } = plan.algorithm;
    if (list === undefined) return `"${stateKey}"`;
    return `"${stateKey}" or its ${list} "${this.listKey(stateKey, plan)}"`;
  }

  /** Returns the key of the part of a log or of leases that is stored apart from the state. */
  listKey(stateKey: string, plan: Plan): string {
    const at = this.#prefix.length - 2;
    return `${stateKey.slice(0, at)}+${definitionOf(plan)}${stateKey.slice(at + 1)}`;
  }
}

/**
 * Returns a tag as text. Other values, such as promises, would all become the same tag. @throws
 * SpillwayError `bad-option`
 */
function checked(tag: unknown): string {
  if (typeof tag === "string") return tag;
  if (typeof tag === "number") return String(tag);
  abandon(tag);
  throw badOption("tag", tag, "a function that returns text or a number, at once");
}

/** Returns a text with its length in front, so that its end is unambiguous. */
function counted(text: string, [plain, encoded]: string): string {
  const wellFormed = text.isWellFormed();
  return `${text.length}${wellFormed ? `${plain}${text}` : `${encoded}${utf16Hex(text)}`}`;
}

/**
 * Returns a text that distinguishes a definition from others of the same limit. Pure.
 *
 * It is a part of values, and of the names of lists.
 */
export function definitionOf(plan: Plan): string {
  const { rate, period, capacity, maxReserved, start } = plan;
  const held = capacity === rate ? undefined : capacity;
  const debt = maxReserved === Number.POSITIVE_INFINITY ? undefined : maxReserved;
  const fields = [kindNumber(plan), rate, period, held, debt, start].map(toBase36);
  // Every value contains this text. So defaults at its end are left out.
  return fields.join(",").replace(/(?:,-)+$/, "");
}

function toBase36(number: number | undefined): string {
  return number === undefined ? "-" : number.toString(36);
}
