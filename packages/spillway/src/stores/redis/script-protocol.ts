/** Encodes requests for the script, and decodes its replies; see `lua/main.lua`. */
import { anchorOf } from "../../limits/algorithms/index.ts";
import { type CommandOf, type Plan, State } from "../../limits/core/index.ts";
import { ASK, PortError, type PortRequest, type Reply, STEPS } from "../index.ts";
import { KIND_NUMBERS, kindNumber, SCRIPT_REPLY, SCRIPT_STEPS } from "../port/protocol.ts";
import { refusedWrite } from "./errors.ts";
import { readMore } from "./more-reply.ts";
import { definitionOf, type RedisKeys } from "./redis-keys.ts";

/** The text of each plan for the script, cached. */
const written = new WeakMap<Plan, string>();
/** The arguments for a unit of each key of a bucket, cached; see `lua/unit-path.lua`. */
const units = new WeakMap<Plan, readonly string[]>();

/** The maximum number of keys of such a request: Lua's stack ends at 8000. */
const MOST_UNITS = 4000;
/** The script writes what is used of such buckets in 3 or 5 bytes. */
const MOST_TICKS = 2 ** 40;

const TAKE = STEPS.take.number;
const RELEASE = STEPS.release.number;
const RENEW = STEPS.renew.number;
/** The width of the step of a release or a renewal. */
const CHANGE = 1 + STEPS.release.fields.length;
const TAKE_UNITS = SCRIPT_STEPS["take units"].number;
const LOOK = SCRIPT_STEPS.look.number;
const DRAW = STEPS.draw.number;
/** The number of fields after each step's number, without its asks. */
const FIELDS: ReadonlyMap<number, number> = new Map(
  Object.values(SCRIPT_STEPS).map(({ number, fields }) => [number, fields.length]),
);
const HEAD = SCRIPT_REPLY.head.length;
const STATE = SCRIPT_REPLY.state.length;
const LEASE = SCRIPT_REPLY.lease.length;

/** The reply to one step on a lease: the head, the state, and a lease that is shown apart. */
type LeaseReply = [now: number, charged: number, used: number, age: number, ...lease: number[]];

/**
 * Returns a request as the script's ARGV.
 *
 * @param now The time for the script, in milliseconds since 1970; undefined for the server's clock.
 */
export function argumentsOf(request: PortRequest, now: number | undefined): string[] {
  const { sent, takesOneOfEach } = request;
  const [plan, other] = sent;
  // Often the script can derive everything from its keys and plans, so nothing else is sent.
  const isPlain =
    takesOneOfEach &&
    other === undefined &&
    plan?.algorithm.list === undefined &&
    plan?.windowAlignment === 1;
  if (!isPlain && request.names.length === 1 && areOfLeases(request)) {
    return oneLease(plan as Plan, request.steps, now);
  }
  const isShort = isPlain && request.names.length <= MOST_UNITS;
  const values = isShort ? (units.get(plan) ?? bucketUnits(plan)) : [];
  if (values.length > 0) return now === undefined ? [...values] : [...values, "", `${now}`];
  const plans = `[${sent.map(planText)}]`;
  const fields = isPlain ? "" : requestText(request);
  if (now !== undefined) return [plans, fields, `${now}`];
  return isPlain ? [plans] : [plans, fields];
}

/**
 * Returns the arguments for a unit of each key of a bucket, cached. There are none for other plans,
 * and for buckets whose values need another form.
 *
 * The script decodes the first argument, which is JSON, if a state is unusual.
 */
function bucketUnits(plan: Plan): readonly string[] {
  const { ticksPerUnit, refillPerMs, capacityTicks } = plan;
  const isBucket = kindNumber(plan) < KIND_NUMBERS["fixed window"];
  const isSent = isBucket && refillPerMs > 0 && capacityTicks < MOST_TICKS;
  const numbers = [ticksPerUnit, refillPerMs, capacityTicks].map(String);
  const values = [`[${planText(plan)}]`, `${definitionOf(plan)}\n`, ...numbers];
  units.set(plan, isSent ? values : []);
  return isSent ? values : [];
}

/**
 * Returns the arguments for one step on a lease. It comes without JSON, whose decoding would take
 * as long as the rest: see `lua/lease-one.lua`.
 */
function oneLease(plan: Plan, steps: readonly number[], now: number | undefined): string[] {
  const definition = `${definitionOf(plan)}\n`;
  const form = usualForm(definition, KIND_NUMBERS.concurrency);
  const [step, , , count] = steps;
  const [id, headroom] = step === TAKE ? [steps[6], steps[5]] : [steps[2], 0];
  const numbers = [plan.period, plan.capacityTicks, step, id];
  // Each argument costs the server as much as a step of arithmetic.
  if (count !== 1 || headroom !== 0 || now !== undefined) numbers.push(count, headroom);
  if (now !== undefined) numbers.push(now);
  return [definition, form, ...numbers.map(String)];
}

function requestText(request: PortRequest): string {
  const { sent, owners, keepsLists, penalties } = request;
  if (isUnitOfOne(request)) return `${request.extras[0]}`;
  const { steps, areUnits, areSingle } = request.takesOneOfEach
    ? { steps: undefined, areUnits: true, areSingle: true }
    : shortened(request.steps);
  const isLent = sent.some(lends);
  const fields: string[] = [];
  if (sent.length > 1) fields.push(`"owners":[${owners}]`);
  if (sent.some(hasWindows)) fields.push(`"anchors":[${anchorsOf(request)}]`);
  if (steps === undefined && sent.every(keepsLog)) fields.push(`"logs":true`);
  else if (areSingle && isLent && !keepsLists) fields.push(`"lends":true`);
  else if (areOfLeases(request)) fields.push(`"leases":true`);
  else if (areUnits && !isLent && !keepsLists) fields.push(`"takes_units":true`);
  if (penalties !== undefined) fields.push(`"penalties":true`);
  if (steps !== undefined) fields.push(`"steps":[${steps}]`);
  return `{${fields}}`;
}

/** Whether the request takes a unit of one budget, which neither lends nor has leases. Pure. */
function isUnitOfOne({ takesOneOfEach, names, sent }: PortRequest): boolean {
  const list = sent[0]?.algorithm.list;
  return takesOneOfEach && names.length === 1 && (list === undefined || list === "log");
}

/** Returns an instant at which a window of each budget begins; then one for an override's plan. */
function anchorsOf({ extras, commands }: Pick<PortRequest, "extras" | "commands">) {
  const [command] = commands;
  return command?.verb === "override" ? [...extras, anchorUnder(command)] : extras;
}

function anchorUnder({ budgets: [budget], plan }: CommandOf<"override">): number {
  return anchorOf({ ...budget, plan });
}

function hasWindows({ windowAlignment }: Plan): boolean {
  return windowAlignment > 1;
}

function keepsLog({ algorithm }: Plan): boolean {
  return algorithm.list === "log";
}

function holdsLeases({ algorithm }: Plan): boolean {
  return algorithm.list === "leases";
}

function lends({ algorithm }: Plan): boolean {
  return algorithm.list === "shares";
}

/**
 * Whether each of the budgets has one step, in their order, which takes, releases or renews a
 * lease. Pure.
 */
function areOfLeases({ sent, names, steps }: PortRequest): boolean {
  if (!sent.every(holdsLeases)) return false;
  let at = 0;
  for (let budget = 1; budget <= names.length; budget++) {
    const isTake = steps[at] === TAKE;
    if (!isTake && steps[at] !== RELEASE && steps[at] !== RENEW) return false;
    if (steps[at + (isTake ? 2 : 1)] !== budget) return false;
    // Asks for several budgets at once would go on here, with no step.
    at += isTake ? 2 + ASK.length : CHANGE;
  }
  return at === steps.length;
}

/**
 * Shortens the steps that take one unit from each of their budgets. Pure.
 *
 * `areUnits` is true if all steps only take units. `areSingle` is true if each step takes one unit
 * of one budget, or is a draw.
 */
function shortened(steps: readonly number[]) {
  const all: number[] = [];
  let [areUnits, areSingle] = [true, true];
  for (let at = 0; at < steps.length; ) {
    const step = steps[at] as number;
    const first = at + 1 + (FIELDS.get(step) ?? 0);
    const asks = step === TAKE || step === LOOK ? (steps[at + 1] as number) : 0;
    const shares = step === DRAW ? (steps[first - 2] as number) + (steps[first - 1] as number) : 0;
    const end = first + asks * ASK.length + shares * 2;
    if (step === TAKE && asksForUnits(steps, first, end)) {
      areSingle = false;
      all.push(TAKE_UNITS, asks);
      for (let ask = first; ask < end; ask += ASK.length) all.push(steps[ask] as number);
    } else {
      if (step < 0) areUnits = false;
      if (step < 0 && step !== DRAW) areSingle = false;
      for (let index = at; index < end; index++) all.push(steps[index] as number);
    }
    at = end;
  }
  return { steps: all, areUnits, areSingle };
}

/** Whether each ask takes one unit, without any other field. Pure. */
function asksForUnits(steps: readonly number[], first: number, end: number): boolean {
  for (let ask = first; ask < end; ask += ASK.length) {
    if (steps[ask + ASK.indexOf("count")] !== 1) return false;
    for (let field = ASK.indexOf("reserve"); field < ASK.length; field++) {
      if (steps[ask + field] !== 0) return false;
    }
  }
  return true;
}

function planText(plan: Plan): string {
  const known = written.get(plan);
  if (known !== undefined) return known;
  const { rate, period, ticksPerUnit, refillPerMs, capacityTicks, debtTicks, share } = plan;
  const definition = `${definitionOf(plan)}\n`;
  const kind = kindNumber(plan);
  const numbers = [rate, period, ticksPerUnit, refillPerMs, capacityTicks, debtTicks];
  const fields = [definition, kind, ...numbers, usualForm(definition, kind)];
  const text = JSON.stringify(share > 0 ? [...fields, share] : fields);
  written.set(plan, text);
  return text;
}

/** Returns the format of a state's usual value, for the script's `unpack`: see `lua/encode.lua`. */
function usualForm({ length }: string, kind: number): string {
  return `<c${length}Bi6I3${kind < KIND_NUMBERS["fixed window"] ? "i6" : ""}`;
}

/**
 * Decodes the script's reply to a request: the parts that `SCRIPT_REPLY` names.
 *
 * If a key holds something that is not ours, the reply has an error instead of its state.
 *
 * @throws PortError if the reply is not one of the script.
 */
export function readReply({ names, plans }: PortRequest, reply: unknown, keys: RedisKeys): Reply {
  const rest = HEAD + STATE * plans.length;
  const list = Array.isArray(reply) ? reply : listOf(String(reply), plans);
  if (list.length <= rest) {
    throw new PortError("Redis sent a reply that Spillway's script doesn't produce");
  }
  const numbers: readonly number[] = typeof list[0] === "number" ? list : list.map(Number);
  const [now, charged] = numbers as [number, number];
  const states: (State | Error)[] = [];
  for (let place = 0, at = HEAD; at < rest; place++, at += STATE) {
    const plan = plans[place] as Plan;
    const isOurs = (numbers[at] as number) >= 0;
    if (isOurs) states.push(stateAt(numbers, at, { now, plan }));
    else states.push(notOurs(keys.shownKeys(names[place] as string, plan)));
  }
  if (numbers.length > rest + 1) readMore(states, numbers.slice(rest));
  if (charged < 0) return { now, charged: 0, states, unwritten: refusedWrite(charged) };
  return { now, charged, states };
}

/**
 * Returns the list for a reply that is a text, of a unit of one bucket or of one step on a lease.
 *
 * It is empty for any other text. See `lua/unit-one.lua` and `lua/lease-reply.lua`.
 */
function listOf(text: string, [plan]: readonly Plan[]): readonly number[] {
  if (!/^\d+,-?\d+(,\d+){2}(,\d+,\d+,-?\d+)?$/.test(text)) return [];
  const numbers = text.split(",").map(Number);
  if (plan?.algorithm.list === undefined) return [...numbers, 0];
  const [now, charged, used, age, ...shown] = numbers as LeaseReply;
  if (used === 0) return [now, charged, 0, age, 0, 0];
  const [, units = 0] = shown;
  const until = now - age + plan.period;
  // All leases that are not shown apart are one.
  const rest = used > units ? [until, used - units, shown.length > 0 ? -3 : -2] : [];
  const leases = [...shown, ...rest];
  return [now, charged, used, age, 1, 1, used, 0, 0, leases.length / LEASE, ...leases];
}

function stateAt(
  numbers: readonly number[],
  at: number,
  { now, plan }: { readonly now: number; readonly plan: Plan },
): State {
  const used = numbers[at] as number;
  const state = new State();
  state.plan = plan;
  state.write({ used, since: now - (numbers[at + 1] as number), previous: 0, unsettled: used });
  return state;
}

function notOurs(shown: string): Error {
  return new Error(
    `the key ${shown} holds a value that Spillway did not write; delete it, or change prefix`,
  );
}
