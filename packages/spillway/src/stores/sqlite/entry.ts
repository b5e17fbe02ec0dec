import { resetAfter } from "../../algorithms/index.ts";
import { type Budget, type Plan, plainBudgetId, State } from "../../core/index.ts";
import type { Definitions } from "./definitions.ts";
import { bytesOf, leaseBytesOf, leasesOf, logOf } from "./log-bytes.ts";
import type { Row, Rows } from "./rows.ts";

/** One budget's row while it is worked on: as it was read, and as a state that can be stepped. */
export class Entry {
  readonly state = new State();
  readonly #definitions: Definitions;
  #id = "";
  #definition = "";
  #row: Row | undefined;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Takes the place of a budget, whose row is read. */
  load(budget: Budget, rows: Rows): void {
    this.#id = plainBudgetId(budget);
    this.#definition = this.#definitions.text(budget.plan);
    this.#row = rows.read(this.#id);
    if (this.#row === undefined) this.state.clear();
    else this.#become(this.#row, budget.plan);
  }

  /** Whether it was read as something else than what it is now. */
  get changed(): boolean {
    const { state } = this;
    const row = this.#row;
    return (
      row !== undefined &&
      (row.used !== state.used ||
        row.since !== state.since ||
        row.unsettled !== state.unsettled ||
        row.previous !== state.previous ||
        row.blockedUntil !== state.blockedUntil ||
        row.definition !== this.#definition ||
        // A lease that is renewed in the millisecond in which another was taken changes nothing else.
        state.leases !== undefined)
    );
  }

  /**
   * Writes what has changed. What equals a fresh state is no row.
   *
   * @returns Whether a row was written.
   */
  save(rows: Rows, now: number): boolean {
    const isNew = this.#row === undefined;
    if (!isNew && !this.changed) return false;
    const plan = this.state.plan as Plan;
    const left = resetAfter(this.state, plan, now);
    if (left === 0 && resetAfter(this.state, plan, now - plan.period) === 0) {
      if (!isNew) rows.remove(this.#id);
      return false;
    }
    // A period later than it is fresh: a clock that goes back a little would show it in use again.
    rows.write(this.#id, this.#toRow(), now + left + plan.period);
    return true;
  }

  #become(row: Row, plan: Plan): void {
    const { state } = this;
    state.write(row);
    state.blockedUntil = row.blockedUntil;
    const same = row.definition === this.#definition;
    state.plan = same ? plan : this.#definitions.plan(row.definition);
    const lends = state.plan.kind === "concurrency";
    state.leases = lends ? leasesOf(row.log) : undefined;
    state.log = lends ? undefined : logOf(row.log);
  }

  #toRow(): Row {
    const { used, since, previous, unsettled, blockedUntil, leases } = this.state;
    const definition = this.#definition;
    const log = leases === undefined ? bytesOf(this.state.log) : leaseBytesOf(leases);
    return { used, since, previous, unsettled, blockedUntil, definition, log };
  }
}
