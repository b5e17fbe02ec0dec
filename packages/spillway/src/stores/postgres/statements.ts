import { anchorOf } from "../../limits/algorithms/index.ts";
import type { CommandOf, Plan } from "../../limits/core/index.ts";
import { ASK, type PortRequest, STEPS } from "../index.ts";
import { listNeeds } from "../port/list-needs.ts";
import type { Statement } from "./clients/index.ts";
import { definitionOf, sentDefinition } from "./definitions.ts";
import { VERSION } from "./install.generated.ts";

/** The context in which a statement is executed. */
export type StatementContext = {
  /** The time in milliseconds since 1970; undefined for the server's clock. */
  readonly now: number | undefined;
} & (OwnTransaction | InCallersTransaction);

/** The context of a statement that is a transaction of its own. */
type OwnTransaction = {
  /** The longest wait for a row lock, in milliseconds. */
  readonly lockTimeout: number;
  /**
   * Whether the statement may leave budgets to a later one, in another transaction. That is fastest
   * if rows are there and as expected.
   */
  readonly mayLeave: boolean;
};

/** The context of a statement in a caller's transaction, whose own lock timeout applies. */
type InCallersTransaction = {
  /**
   * The transaction's id from an earlier reply; `UNKNOWN` before the first one. The statement does
   * nothing in another transaction.
   */
  readonly transaction: string;
};

/** Replaces the id of a transaction while it is unknown. */
export const UNKNOWN = "0";
/** The reply of a statement that is run in another transaction than expected. */
export const OVER = "over";

/** The statement for a request. */
export type SentRequest = Statement & {
  /**
   * The places of the request's budgets, in the statement's order; undefined if the order is the
   * same.
   */
  readonly order: readonly number[] | undefined;
};

/** The statements of a store: calls of the functions in `sql/`. All parameters are text. */
export class Statements {
  readonly #schema: string;
  readonly #execute: Pick<Statement, "name" | "text">;
  readonly #takePresent: Pick<Statement, "name" | "text">;
  readonly #takeFromBuckets: Pick<Statement, "name" | "text">;
  readonly #override: Pick<Statement, "name" | "text">;
  readonly #peek: Pick<Statement, "name" | "text">;
  readonly #locked: Pick<Statement, "name" | "text">;
  readonly #sweep: Pick<Statement, "name" | "text">;
  readonly #status: Pick<Statement, "name" | "text">;

  /** @param schema A checked name, without quotes. */
  constructor(schema: string) {
    this.#schema = schema;
    const budgets = [TEXTS, TEXTS, INTEGERS, NUMBERS, NUMBERS];
    const context = [OPTIONAL, `${OPTIONAL}::pg_catalog.int4`, TEXT];
    this.#execute = this.#call("execute", [...budgets, NUMBERS, ...context]);
    const buckets = [TEXTS, TEXT, NUMBER, NUMBER, NUMBER];
    this.#takePresent = this.#call("take_present", [...buckets, ...context.slice(0, -1)]);
    this.#takeFromBuckets = this.#call("take_from_buckets", [...buckets, ...context]);
    this.#override = this.#call("override", [TEXTS, TEXTS, NUMBERS, NUMBER, ...context]);
    this.#peek = this.#call("peek", [...budgets, ...context]);
    this.#locked = this.#call("locked", [TEXTS]);
    this.#sweep = this.#call("sweep", [TEXT, INTEGER, OPTIONAL]);
    this.#status = {
      name: "spillway.status",
      text: "select coalesce(pg_catalog.pg_xact_status($1::pg_catalog.text::pg_catalog.xid8), '')",
    };
  }

  /** Returns the statement that executes a request. */
  execute(request: PortRequest, context: StatementContext): SentRequest {
    const { names, sent, owners, extras, steps } = request;
    const rest = contextValues(context);
    const ticks = takenFromEach(request);
    if (ticks !== undefined) {
      const order = names.length > 1 ? orderOf(names) : undefined;
      const sorted = order?.map((place) => names[place] as string) ?? names;
      const values = [texts(sorted), definitionOf(sent[0] as Plan), ...ticks.map(String), ...rest];
      if (!("mayLeave" in context && context.mayLeave))
        return { ...this.#takeFromBuckets, values, order };
      return { ...this.#takePresent, values: values.slice(0, -1), order };
    }
    if (steps[0] === STEPS.override.number) return this.#overriding(request, rest);
    const needs = request.keepsLists ? listNeeds(request) : [];
    const ofBudgets = [owners, extras, needs].map(numbers);
    const budgets = [texts(names), texts(sent.map(sentDefinition)), ...ofBudgets];
    if (steps.length === 0)
      return { ...this.#peek, values: [...budgets, ...rest], order: undefined };
    const values = [...budgets, numbers(steps), ...rest];
    return { ...this.#execute, values, order: undefined };
  }

  /** An override is the only command of its request. */
  #overriding({ names, commands }: PortRequest, rest: readonly string[]): SentRequest {
    const [{ budgets, plan, ms }] = commands as readonly [CommandOf<"override">];
    const [budget] = budgets;
    const own = { ...budget, plan };
    const definitions = texts([sentDefinition(budget.plan), definitionOf(plan)]);
    const anchors = numbers([anchorOf(budget), anchorOf(own)]);
    const values = [texts(names), definitions, anchors, `${ms}`, ...rest];
    return { ...this.#override, values, order: undefined };
  }

  /**
   * Returns a statement that finds which of some rows other transactions have locked. Its reply is
   * JSON.
   */
  locked(ids: readonly string[]): Statement {
    return { ...this.#locked, values: [texts(ids)] };
  }

  /**
   * Returns a statement that reads `rows` rows after an id, and removes those that equal fresh
   * ones. Its reply is the last id that it read.
   */
  sweep(after: string, rows: number, now: number | undefined): Statement {
    return { ...this.#sweep, values: [after, `${rows}`, optional(now)] };
  }

  /**
   * Returns a statement for the status of a transaction. Its reply is `"in progress"`,
   * `"committed"`, `"aborted"`, or empty if the transaction is too old.
   */
  status(transaction: string): Statement {
    return { ...this.#status, values: [transaction] };
  }

  /** @param types How each parameter is converted: `$` stands for it. */
  #call(name: string, types: readonly string[]): Pick<Statement, "name" | "text"> {
    const parameters = types.map((type, index) => type.replace("$", () => `$${index + 1}`));
    const text = `select "${this.#schema}".v${VERSION}_${name}(${parameters.join(", ")})`;
    return { name: `${this.#schema}.v${VERSION}_${name}`, text };
  }
}

/**
 * How the text parameters are converted.
 *
 * This part of a statement is outside the functions, so the caller's search path applies. Each name
 * has its schema, so that it can't mean another type, function or operator.
 */
const TEXT = "$::pg_catalog.text";
const NUMBER = `${TEXT}::pg_catalog.float8`;
const INTEGER = `${TEXT}::pg_catalog.int4`;
const TEXTS = `${TEXT}::pg_catalog.text[]`;
const NUMBERS = `${TEXT}::pg_catalog.float8[]`;
const INTEGERS = `${TEXT}::pg_catalog.int4[]`;
/** A number; null if the array is empty. */
const OPTIONAL = `(${NUMBERS})[1]`;

/**
 * Ticks of a bucket: taken from each, available in a fresh one, and coming back each millisecond.
 */
type Ticks = readonly [taken: number, available: number, refillPerMs: number];

/**
 * Returns the ticks that a request takes from each of its buckets. Pure.
 *
 * Returns undefined unless the request only takes, the same from each bucket, under one limit.
 */
function takenFromEach({ names, steps, sent, takesOneOfEach }: PortRequest): Ticks | undefined {
  const [plan, other] = sent;
  if (plan === undefined || other !== undefined) return undefined;
  if (plan.refillPerMs === 0 || plan.share > 0) return undefined;
  if (takesOneOfEach) return ticksOf(plan, { units: 1, reserve: 0 });
  const [first, asks, , units, reserve, headroom] = steps;
  const isOneTake = first === STEPS.take.number && asks === 1 && steps.length === 2 + ASK.length;
  if (!isOneTake || names.length !== 1 || headroom !== 0) return undefined;
  return ticksOf(plan, { units: units as number, reserve: reserve as number });
}

/** Returns undefined if nothing is taken, or more than a fresh bucket has. */
function ticksOf(
  { capacityTicks, debtTicks, ticksPerUnit, refillPerMs }: Plan,
  { units, reserve }: { readonly units: number; readonly reserve: number },
): Ticks | undefined {
  // A function of buckets can't tell that the key's override may have debt.
  if (reserve > 0 && debtTicks === 0) return undefined;
  const taken = units * ticksPerUnit;
  const available = capacityTicks + reserve * debtTicks;
  return taken > 0 && taken <= available ? [taken, available, refillPerMs] : undefined;
}

/**
 * Returns the places in the order of their names, in which the server locks rows. Pure.
 *
 * The server sorts names with characters beyond U+FFFF itself, because its order differs for them.
 */
function orderOf(names: readonly string[]): readonly number[] {
  const nameAt = (place: number) => names[place] as string;
  return [...names.keys()].sort((one, other) => (nameAt(one) < nameAt(other) ? -1 : 1));
}

/** Returns the parameters for a context: time, lock timeout, transaction. */
export function contextValues({ now, ...rest }: StatementContext): readonly string[] {
  const isOwn = "lockTimeout" in rest;
  return [
    optional(now),
    optional(isOwn ? rest.lockTimeout : undefined),
    isOwn ? "" : rest.transaction,
  ];
}

/** Returns the literal of an array of one number, or of an empty array. */
function optional(number: number | undefined): string {
  return `{${number ?? ""}}`;
}

/** Returns the literal of an array. Numbers need no quotes. */
function numbers(all: readonly number[]): string {
  return `{${all}}`;
}

function texts(all: readonly string[]): string {
  return `{${all.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`)}}`;
}
