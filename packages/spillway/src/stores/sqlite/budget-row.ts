import { plainBudgetId } from "../../internal/index.ts";
import { resetAfter } from "../../limits/algorithms/index.ts";
import { type Budget, type Leases, type Plan, State } from "../../limits/core/index.ts";
import type { DefinitionTexts } from "./definition-texts.ts";
import { bytesOf, leaseBytesOf, leasesOf, logOf } from "./log-bytes.ts";
import { definitionOf, definitionText } from "./others-text.ts";
import type { Rows, StateRow } from "./rows.ts";

/** One budget's row while it is worked on: as it was read, and as a state that can be stepped. */
export class BudgetRow {
  readonly state = new State();
  readonly #definitions: DefinitionTexts;
  #id = "";
  #definition = "";
  #row: StateRow | undefined;
  /** The leases as they were read, and how often they had been changed by then. */
  #leases: Leases | undefined;
  #leaseChanges: number | undefined;

  constructor(definitions: DefinitionTexts) {
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
        row.definition !== this.#definitionText ||
        this.#leasesChanged)
    );
  }

  /** With all that is kept under other definitions, so that a change of theirs shows as well. */
  get #definitionText(): string {
    return definitionText(this.#definition, this.state.others, this.#definitions);
  }

  /** Asked of the leases: one renewed in the millisecond in which another was taken changes nothing else. */
  get #leasesChanged(): boolean {
    const { leases } = this.state;
    return leases !== this.#leases || leases?.changes !== this.#leaseChanges;
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
    const left = this.#left(plan, now);
    if (left === 0 && resetAfter(this.state, plan, now - plan.period) === 0) {
      if (!isNew) rows.remove(this.#id);
      return false;
    }
    // A period later than it is fresh: a clock that goes back a little would show it in use again.
    const expires = now + left + plan.period;
    if (isNew) rows.insert(this.#id, this.#toRow(), expires);
    else rows.update(this.#id, this.#toRow(), expires);
    return true;
  }

  /** Milliseconds until nothing is left to keep, under any definition. */
  #left(plan: Plan, now: number): number {
    const others = this.state.others?.map(({ until }) => until - now) ?? [];
    return Math.max(resetAfter(this.state, plan, now), ...others);
  }

  #become(row: StateRow, plan: Plan): void {
    const { state } = this;
    const { own, others } = definitionOf(row.definition, this.#definitions);
    state.write(row);
    state.blockedUntil = row.blockedUntil;
    state.plan = own === this.#definition ? plan : this.#definitions.plan(own);
    state.others = others;
    const { list } = state.plan.algorithm;
    const hasLeases = list === "leases" || list === "shares";
    state.leases = hasLeases ? leasesOf(row.log) : undefined;
    this.#leases = state.leases;
    this.#leaseChanges = state.leases?.changes;
    state.log = hasLeases ? undefined : logOf(row.log);
  }

  #toRow(): StateRow {
    const { used, since, previous, unsettled, blockedUntil, leases } = this.state;
    const definition = this.#definitionText;
    const log = leases === undefined ? bytesOf(this.state.log) : leaseBytesOf(leases);
    return { used, since, previous, unsettled, blockedUntil, definition, log };
  }
}
