import type { Plan } from "../../limits/core/index.ts";
import { ASK, type PortRequest, STEPS } from "../index.ts";
import { listNeeds } from "../port/list-needs.ts";
import { kindNumber } from "../port/protocol.ts";
import type { Statement } from "./clients/index.ts";
import { VERSION } from "./install.generated.ts";

/** What a statement is executed with. */
export type StatementContext = {
  /** The time in milliseconds since 1970; undefined for the server's clock. */
  readonly now: number | undefined;
} & (OwnTransaction | InCallersTransaction);

/** A statement that is a transaction of its own. */
type OwnTransaction = {
  /** The most milliseconds to wait for a row lock. */
  readonly lockTimeout: number;
};

/** A statement in a transaction of the caller's, where it waits for row locks as long as that does. */
type InCallersTransaction = {
  /** The transaction's id, which the reply has; `UNKNOWN` before. In another one nothing is done. */
  readonly transaction: string;
};

/** In place of the id of a transaction. */
export const UNKNOWN = "0";
/** What is replied in another transaction than the one that was meant. */
export const OVER = "over";

/** What a request is sent as. */
export type SentRequest = Statement & {
  /** The places of its budgets in the order in which the statement names them; undefined for their own. */
  readonly order: readonly number[] | undefined;
};

/** The statements of a store: calls of the functions in `sql/`. Parameters are all text. */
export class Statements {
  readonly #schema: string;
  readonly #execute: Pick<Statement, "name" | "text">;
  readonly #takeFromBuckets: Pick<Statement, "name" | "text">;
  readonly #peek: Pick<Statement, "name" | "text">;
  readonly #locked: Pick<Statement, "name" | "text">;
  readonly #sweep: Pick<Statement, "name" | "text">;
  readonly #status: Pick<Statement, "name" | "text">;

  /** @param schema Checked, and not yet quoted. */
  constructor(schema: string) {
    this.#schema = schema;
    const budgets = [TEXTS, TEXTS, INTEGERS, NUMBERS, NUMBERS];
    const circumstances = [OPTIONAL, `${OPTIONAL}::pg_catalog.int4`, TEXT];
    this.#execute = this.#call("execute", [...budgets, NUMBERS, ...circumstances]);
    this.#takeFromBuckets = this.#call("take_from_buckets", [
      ...[TEXTS, TEXT, NUMBER, NUMBER, NUMBER],
      ...circumstances,
    ]);
    this.#peek = this.#call("peek", [...budgets, ...circumstances]);
    this.#locked = this.#call("locked", [TEXTS]);
    this.#sweep = this.#call("sweep", [TEXT, INTEGER, OPTIONAL]);
    this.#status = {
      name: "spillway.status",
      text: "select coalesce(pg_catalog.pg_xact_status($1::pg_catalog.text::pg_catalog.xid8), '')",
    };
  }

  /** Executes a request. */
  execute(request: PortRequest, circumstances: StatementContext): SentRequest {
    const { names, sent, owners, extras, steps } = request;
    const rest = valuesOf(circumstances);
    const ticks = takenFromEach(request);
    if (ticks !== undefined) {
      const order = names.length > 1 ? orderOf(names) : undefined;
      const sorted = order?.map((place) => names[place] as string) ?? names;
      const values = [texts(sorted), definitionOf(sent[0] as Plan), ...ticks.map(String), ...rest];
      return { ...this.#takeFromBuckets, values, order };
    }
    const needs = request.keepsLists ? listNeeds(request) : [];
    const ofBudgets = [owners, extras, needs].map(numbers);
    const budgets = [texts(names), texts(sent.map(sentDefinition)), ...ofBudgets];
    if (steps.length === 0)
      return { ...this.#peek, values: [...budgets, ...rest], order: undefined };
    const values = [...budgets, numbers(steps), ...rest];
    return { ...this.#execute, values, order: undefined };
  }

  /** Which of some rows are locked by other transactions, as JSON. */
  locked(ids: readonly string[]): Statement {
    return { ...this.#locked, values: [texts(ids)] };
  }

  /** Reads so many rows after an id, removes those that equal no row, and returns the last id read. */
  sweep(after: string, rows: number, now: number | undefined): Statement {
    return { ...this.#sweep, values: [after, `${rows}`, optional(now)] };
  }

  /** Whether a transaction is `"in progress"`, `"committed"`, `"aborted"`, or too old to know: empty. */
  status(transaction: string): Statement {
    return { ...this.#status, values: [transaction] };
  }

  /** @param types How each parameter is read: `$` stands for it. */
  #call(name: string, types: readonly string[]): Pick<Statement, "name" | "text"> {
    const parameters = types.map((type, index) => type.replace("$", () => `$${index + 1}`));
    const text = `select "${this.#schema}".v${VERSION}_${name}(${parameters.join(", ")})`;
    return { name: `${this.#schema}.v${VERSION}_${name}`, text };
  }
}

/**
 * How parameters are read, which are all text. What runs outside of the functions has the caller's search path, so
 * that each name has its schema: else somebody else's type, function or operator might be meant.
 */
const TEXT = "$::pg_catalog.text";
const NUMBER = `${TEXT}::pg_catalog.float8`;
const INTEGER = `${TEXT}::pg_catalog.int4`;
const TEXTS = `${TEXT}::pg_catalog.text[]`;
const NUMBERS = `${TEXT}::pg_catalog.float8[]`;
const INTEGERS = `${TEXT}::pg_catalog.int4[]`;
/** A number or, of no numbers, null. */
const OPTIONAL = `(${NUMBERS})[1]`;

/** Ticks that are taken from each of some buckets, that are available in a full one, and that come back each millisecond. */
type Ticks = readonly [taken: number, available: number, refillPerMs: number];

/** What a request takes, if it only takes that from each of some buckets under one limit. */
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

/** Undefined for what even a fresh bucket does not have. */
function ticksOf(
  { capacityTicks, debtTicks, ticksPerUnit, refillPerMs }: Plan,
  { units, reserve }: { readonly units: number; readonly reserve: number },
): Ticks | undefined {
  const taken = units * ticksPerUnit;
  const available = capacityTicks + reserve * debtTicks;
  return taken > 0 && taken <= available ? [taken, available, refillPerMs] : undefined;
}

/**
 * Places in the order of their names: that in which the server locks rows, but for names with characters beyond
 * U+FFFF, which it sorts itself.
 */
function orderOf(names: readonly string[]): readonly number[] {
  const nameAt = (place: number) => names[place] as string;
  return [...names.keys()].sort((one, other) => (nameAt(one) < nameAt(other) ? -1 : 1));
}

const definitions = new WeakMap<Plan, string>();

/** A plan as `plan_from` reads it, and as rows keep it: made once. */
function definitionOf(plan: Plan): string {
  const known = definitions.get(plan);
  if (known !== undefined) return known;
  const { rate, period, ticksPerUnit, refillPerMs, capacityTicks, debtTicks } = plan;
  const arithmetic = [rate, period, ticksPerUnit, refillPerMs, capacityTicks, debtTicks];
  const windows = [plan.windowAlignment, plan.start ?? "-"];
  // Two definitions that allow different debts are different, even where the arithmetic agrees.
  const definition = [kindNumber(plan), ...arithmetic, ...windows, plan.maxReserved];
  const text = definition.join(":");
  definitions.set(plan, text);
  return text;
}

/** With how long units are lent, which rows do not keep: two lengths are one definition. */
function sentDefinition(plan: Plan): string {
  return plan.share > 0 ? `${definitionOf(plan)}/${plan.share}` : definitionOf(plan);
}

function valuesOf({ now, ...rest }: StatementContext): readonly string[] {
  const isOwn = "lockTimeout" in rest;
  return [
    optional(now),
    optional(isOwn ? rest.lockTimeout : undefined),
    isOwn ? "" : rest.transaction,
  ];
}

/** An array's literal, of one number or of none. */
function optional(number: number | undefined): string {
  return `{${number ?? ""}}`;
}

/** An array's literal. Numbers need no quotes. */
function numbers(all: readonly number[]): string {
  return `{${all}}`;
}

function texts(all: readonly string[]): string {
  return `{${all.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`)}}`;
}
