/** What budgets' states say of how much was charged: in ticks, by the server's own clock. */
import { planFor, usedAt } from "../../../src/limits/algorithms/index.ts";
import type { Budget, Decision, Limits, Plan, Store } from "../../../src/limits/core/index.ts";
import { asking } from "../../../src/testing/asking.ts";

/** Asks in one turn when what is left is taken: few enough for one request of every store. */
const AT_ONCE = 16;

/** A budget's state at one instant, and the units that were taken to get it there. */
type Page = { readonly now: number; readonly spent: number; readonly taken: number };

/** Two looks at a budget that did not rest in between. */
export type Span = { readonly plan: Plan; readonly from: Page; readonly to: Page };

/** Keeps the books of some limits of one key. */
export class Books {
  readonly #budgets: readonly Budget[];
  readonly #from: readonly Page[];

  /** Takes half of each capacity, so that there is something to come back, and to ask for. */
  static async open(store: Store<"later">, limits: Limits, key: string): Promise<Books> {
    const budgets = Object.keys(limits).map((name) => {
      return { plan: planFor(name, limits[name] as Limits[string]), key };
    });
    const half = (plan: Plan) => Math.floor(plan.capacity / 2);
    const pages = budgets.map((budget) =>
      take(store, budget, { count: half(budget.plan), times: 1 }),
    );
    return new Books(budgets, await Promise.all(pages));
  }

  private constructor(budgets: readonly Budget[], from: readonly Page[]) {
    this.#budgets = budgets;
    this.#from = from;
  }

  /** Takes what is left of each, to the last unit. */
  async close(store: Store<"later">): Promise<Map<string, Span>> {
    const spans = new Map<string, Span>();
    // One by one: what is asked in one turn is asked at one instant only if one request can hold it.
    for (const [at, budget] of this.#budgets.entries()) {
      const { plan } = budget;
      const to = await exhaust(store, budget);
      spans.set(plan.limit, { plan, from: this.#from[at] as Page, to });
    }
    return spans;
  }
}

/** Takes single units until one is refused. */
async function exhaust(store: Store<"later">, budget: Budget): Promise<Page> {
  for (let before = 0; ; ) {
    const page = await take(store, budget, { count: 1, times: AT_ONCE });
    if (page.taken < AT_ONCE) return { ...page, taken: before + page.taken };
    before += page.taken;
  }
}

type Taking = { readonly count: number; readonly times: number };

/** Takes some units so many times, and looks at what is left, all at the same instant. */
async function take(
  store: Store<"later">,
  budget: Budget,
  { count, times }: Taking,
): Promise<Page> {
  const asks = Array.from({ length: times }, () =>
    asking(store).limit({ ...budget, count, reserve: false }),
  );
  const [decisions, [sight]] = await Promise.all([Promise.all(asks), asking(store).peek([budget])]);
  if (sight === undefined) throw new Error("nothing was seen");
  const { state, now } = sight;
  const taken = count * decisions.filter(isTaken).length;
  return { now, spent: usedAt(state, budget.plan, now), taken };
}

function isTaken({ ok, degraded }: Decision): boolean {
  if (degraded) throw new Error("the store was not there to keep books");
  return ok;
}

/** Ticks that came back from one look to the other. */
function returned({ plan, from, to }: Span): number {
  if (plan.kind === "fixed window") {
    const windowAt = (now: number) => Math.floor((now - (plan.start ?? 0)) / plan.period);
    return (windowAt(to.now) - windowAt(from.now)) * plan.rate;
  }
  // Of what is weighed or logged nothing does: the period is to be longer than the span.
  return plan.refillPerMs * (to.now - from.now);
}

/** Units that were charged from one look to the other: whole, or the arithmetic is wrong. */
export function charged(span: Span): number {
  return (span.to.spent - span.from.spent + returned(span)) / span.plan.ticksPerUnit;
}

/** The most units that may be admitted from one look to the other. */
export function most(span: Span): number {
  const { plan, from } = span;
  return Math.floor((plan.capacityTicks - from.spent + returned(span)) / plan.ticksPerUnit);
}
