import type { Plan } from "../../core/index.ts";
import { ASK, kindNumber, listNeeds, type PortRequest, STEPS } from "../../store/index.ts";
import type { Statement } from "./clients/index.ts";
import { VERSION } from "./install.generated.ts";

/** What a statement is executed with. */
export type Circumstances = {
  /** The time in milliseconds since 1970; undefined for the server's clock. */
  readonly now: number | undefined;
  /** The most milliseconds to wait for a row lock; undefined to wait as long as the transaction does. */
  readonly lockTimeout: number | undefined;
};

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

  /** @param schema Checked, and not yet quoted. */
  constructor(schema: string) {
    this.#schema = schema;
    const at = (n: number) => `nullif($${n}::text, '')::float8`;
    const lockTimeout = (n: number) => `nullif($${n}::text, '')::int`;
    const budgets = "$1::text::text[], $2::text::text[], $3::text::int[], $4::text::float8[]";
    const lists = "$5::text::float8[]";
    const steps = "$6::text::float8[]";
    const execute = [budgets, lists, steps, at(7), lockTimeout(8)];
    this.#execute = this.#call("execute", execute.join(", "));
    const ticks = "$3::text::float8, $4::text::float8, $5::text::float8";
    this.#takeFromBuckets = this.#call(
      "take_from_buckets",
      `$1::text::text[], $2::text, ${ticks}, ${at(6)}, ${lockTimeout(7)}`,
    );
    this.#peek = this.#call("peek", `${budgets}, ${lists}, ${at(6)}, ${lockTimeout(7)}`);
    this.#locked = this.#call("locked", "$1::text::text[]");
    this.#sweep = this.#call("sweep", `$1::text, $2::text::int, ${at(3)}`);
  }

  /** Executes a request. */
  execute(request: PortRequest, { now, lockTimeout }: Circumstances): SentRequest {
    const { names, sent, owners, extras, steps } = request;
    const [at, most] = [optional(now), optional(lockTimeout)];
    const ticks = takenFromEach(request);
    if (ticks !== undefined) {
      const order = names.length > 1 ? orderOf(names) : undefined;
      const sorted = order?.map((place) => names[place] as string) ?? names;
      const values = [texts(sorted), definitionOf(sent[0] as Plan), ...ticks.map(String), at, most];
      return { ...this.#takeFromBuckets, values, order };
    }
    const needs = request.keepsLists ? listNeeds(request) : [];
    const ofBudgets = [owners, extras, needs].map(numbers);
    const budgets = [texts(names), texts(sent.map(sentDefinition)), ...ofBudgets];
    if (steps.length === 0)
      return { ...this.#peek, values: [...budgets, at, most], order: undefined };
    const values = [...budgets, numbers(steps), at, most];
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

  #call(name: string, parameters: string): Pick<Statement, "name" | "text"> {
    const text = `select "${this.#schema}".v${VERSION}_${name}(${parameters})`;
    return { name: `${this.#schema}.v${VERSION}_${name}`, text };
  }
}

/** Ticks that are taken from each of some buckets, that are available in a full one, and that come back each millisecond. */
type Ticks = readonly [taken: number, available: number, refillPerMs: number];

/** What a request takes, if it only takes that from each of some buckets under one limit. */
function takenFromEach({ names, steps, sent, takesOneOfEach }: PortRequest): Ticks | undefined {
  const [plan, other] = sent;
  if (plan === undefined || other !== undefined) return undefined;
  if (plan.refillPerMs === 0 || plan.share > 0) return undefined;
  if (takesOneOfEach) return ticksOf(plan, { units: 1, reserve: 0 });
  const [first, asks, , units, reserve] = steps;
  const isOneTake = first === STEPS.take.number && asks === 1 && steps.length === 2 + ASK.length;
  if (!isOneTake || names.length !== 1) return undefined;
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

function optional(number: number | undefined): string {
  return number === undefined ? "" : `${number}`;
}

/** An array's literal. Numbers need no quotes. */
function numbers(all: readonly number[]): string {
  return `{${all}}`;
}

function texts(all: readonly string[]): string {
  return `{${all.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`)}}`;
}
