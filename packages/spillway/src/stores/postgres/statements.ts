import type { Plan } from "../../core/index.ts";
import { ASK, KIND_NUMBERS, type PortRequest, STEPS } from "../../store/index.ts";
import type { Statement } from "./clients/connect.ts";

/** What a statement is to be carried out with. */
export type Circumstances = {
  /** The time to go by, in milliseconds since 1970; undefined for the server's own. */
  readonly now: number | undefined;
  /** The most milliseconds to wait for a row; undefined to wait as long as the transaction does. */
  readonly patience: number | undefined;
};

/** The statements of a store: calls of the functions in `sql/`. Parameters are all text. */
export class Statements {
  readonly #schema: string;
  readonly #take: Pick<Statement, "name" | "text">;
  readonly #takeOneEach: Pick<Statement, "name" | "text">;
  readonly #takeOne: Pick<Statement, "name" | "text">;
  readonly #look: Pick<Statement, "name" | "text">;
  readonly #held: Pick<Statement, "name" | "text">;
  readonly #sweep: Pick<Statement, "name" | "text">;

  /** @param schema Checked, and not yet quoted. */
  constructor(schema: string) {
    this.#schema = schema;
    const plan = `"${schema}".plan`;
    const at = (n: number) => `nullif($${n}::text, '')::float8`;
    const patience = (n: number) => `nullif($${n}::text, '')::int`;
    const budgets = `$1::text::text[], $2::text::${plan}[], $3::text::int[], $4::text::float8[]`;
    this.#take = this.#call("take", `${budgets}, $5::text::float8[], ${at(6)}, ${patience(7)}`);
    this.#takeOneEach = this.#call(
      "take_one_each",
      `$1::text::text[], $2::text::${plan}, ${at(3)}, ${patience(4)}`,
    );
    this.#takeOne = this.#call(
      "take_one",
      `$1::text, $2::text::${plan}, $3::text::float8, $4::text::boolean, ${at(5)}, ${patience(6)}`,
    );
    this.#look = this.#call("look", `${budgets}, ${at(5)}, ${patience(6)}`);
    this.#held = this.#call("held", "$1::text::text[]");
    this.#sweep = this.#call("sweep", `$1::text, $2::text::int, ${at(3)}`);
  }

  /** Carries out a request. */
  carryOut(request: PortRequest, { now, patience }: Circumstances): Statement {
    const { names, sent, owners, extras, steps } = request;
    const plan = sent[0] as Plan;
    const [at, most] = [optional(now), optional(patience)];
    const single = singleTake(request);
    if (single !== undefined) {
      const [units, ahead] = single;
      const values = [names[0] as string, written(plan), `${units}`, `${ahead}`, at, most];
      return { ...this.#takeOne, values };
    }
    const ids = texts(names);
    if (patience !== undefined && takesOneEach(request)) {
      return { ...this.#takeOneEach, values: [ids, written(plan), at, most] };
    }
    const budgets = [ids, texts(sent.map(written)), numbers(owners), numbers(extras)];
    if (isLook(request)) return { ...this.#look, values: [...budgets, at, most] };
    return { ...this.#take, values: [...budgets, numbers(steps), at, most] };
  }

  /** Which of some rows somebody has locked, as JSON. */
  held(ids: readonly string[]): Statement {
    return { ...this.#held, values: [texts(ids)] };
  }

  /** Looks at so many rows after an id, removes those that are as good as none, tells where it ended. */
  sweep(after: string, rows: number, now: number | undefined): Statement {
    return { ...this.#sweep, values: [after, `${rows}`, optional(now)] };
  }

  #call(name: string, parameters: string): Pick<Statement, "name" | "text"> {
    const text = `select "${this.#schema}".${name}(${parameters})`;
    return { name: `${this.#schema}.${name}`, text };
  }
}

/** Whether a request changes nothing. */
export function isLook({ steps, takesOneOfEach }: PortRequest): boolean {
  return steps.length === 0 && !takesOneOfEach;
}

/** How many units a request takes from one bucket, and whether ahead of time, if that is all it does. */
function singleTake({
  names,
  steps,
  plans: [plan],
}: PortRequest): readonly [number, boolean] | undefined {
  if (names.length !== 1 || plan === undefined || plan.refillPerMs === 0) return undefined;
  const [first, , , count, reserve] = steps;
  const isOne = steps.length === 1;
  if (!isOne && (steps.length !== 2 + ASK.length || first !== STEPS.take.number)) return undefined;
  const units = isOne ? 1 : (count as number);
  const most = reserve === 1 ? plan.capacityTicks + plan.debtTicks : plan.capacityTicks;
  return units > 0 && units * plan.ticksPerUnit <= most ? [units, reserve === 1] : undefined;
}

/** Whether a request takes one unit from each of some buckets under one limit. */
function takesOneEach({ takesOneOfEach, sent: [plan, other] }: PortRequest): boolean {
  if (!takesOneOfEach || plan === undefined || other !== undefined) return false;
  return plan.refillPerMs > 0 && plan.ticksPerUnit <= plan.capacityTicks;
}

const definitions = new WeakMap<Plan, string>();

/** A plan as the type `plan` reads it: written once. */
function written(plan: Plan): string {
  const known = definitions.get(plan);
  if (known !== undefined) return known;
  const {
    rate,
    period,
    capacity,
    maxReserved,
    start,
    ticksPerUnit,
    refillPerMs,
    capacityTicks,
    debtTicks,
  } = plan;
  const kind = KIND_NUMBERS[plan.kind];
  const debt = maxReserved === Number.POSITIVE_INFINITY ? "-" : maxReserved;
  const definition = [kind, rate, period, capacity, debt, start ?? "-"].join(":");
  const text = `(${[definition, kind, rate, period, ticksPerUnit, refillPerMs, capacityTicks, debtTicks, 0]})`;
  definitions.set(plan, text);
  return text;
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
