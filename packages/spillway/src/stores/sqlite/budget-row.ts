import { plainBudgetId } from "../../internal/index.ts";
import { freshAfter } from "../../limits/algorithms/index.ts";
import { type Budget, type Leases, type Plan, State } from "../../limits/core/index.ts";
import type { DefinitionTexts } from "./definition-texts.ts";
import { bytesOf, leaseBytesOf, leasesOf, logOf } from "./log-bytes.ts";
import { definitionOf, definitionText } from "./others-text.ts";
import type { Rows, StateRow } from "./rows.ts";

/** The row of one budget during a command: as it was read, and as a state. */
export class BudgetRow {
  readonly state = new State();
  readonly #definitions: DefinitionTexts;
  #id = "";
  #definition = "";
  #row: StateRow | undefined;
  /** The leases as they were read, and the number of their changes at that time. */
  #leases: Leases | undefined;
  #leaseChanges: number | undefined;

  constructor(definitions: DefinitionTexts) {
    this.#definitions = definitions;
  }

  /** Reads the row of a budget into this object, which is reused. */
  load(budget: Budget, rows: Rows): void {
    this.#id = plainBudgetId(budget);
    this.#definition = this.#definitions.text(budget.plan);
    this.#row = rows.read(this.#id, { expected: this.#definition });
    if (this.#row === undefined) this.state.clear();
    else this.#become(this.#row, budget.plan);
  }

  /** Whether the state differs from the row that was read. False if there was no row. */
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

  /** The text of the definition that the state was written under: the asked one, or an override. */
  get #ownText(): string {
    const { plan, overriddenUntil } = this.state;
    return overriddenUntil === 0 ? this.#definition : this.#definitions.text(plan as Plan);
  }

  /** Includes the states under other definitions, so that their changes are detected as well. */
  get #definitionText(): string {
    return definitionText(this.#ownText, this.state, this.#definitions);
  }

  /**
   * Uses the counter of changes: a lease renewed in the millisecond in which another was taken
   * changes no other column.
   */
  get #leasesChanged(): boolean {
    const { leases } = this.state;
    return leases !== this.#leases || leases?.changes !== this.#leaseChanges;
  }

  /**
   * Writes the row if it has changed. Removes it if the state has equalled a fresh one for a
   * period.
   *
   * @returns Whether a row was inserted or updated.
   */
  save(rows: Rows, now: number): boolean {
    const isNew = this.#row === undefined;
    if (!isNew && !this.changed) return false;
    const plan = this.state.plan as Plan;
    const left = this.#left(plan, now);
    if (left === 0 && freshAfter(this.state, plan, now - plan.period) === 0) {
      if (!isNew) rows.remove(this.#id);
      return false;
    }
    // A row expires one period after its state is fresh. If it went sooner, a clock that stepped
    // back a little would make the state count as used again.
    const expires = now + left + plan.period;
    if (isNew) rows.insert(this.#id, this.#toRow(), expires);
    else if (this.#onlyNumbersChanged) rows.updateNumbers(this.#id, this.state, expires);
    else rows.update(this.#id, this.#toRow(), expires);
    return true;
  }

  /** Whether the row's definition and list stay. */
  get #onlyNumbersChanged(): boolean {
    const { log, leases } = this.state;
    const hasList = log !== undefined || leases !== undefined || this.#row?.log !== null;
    return !hasList && this.#row?.definition === this.#definitionText;
  }

  /** Returns the milliseconds until the state is fresh under all definitions. */
  #left(plan: Plan, now: number): number {
    const others = this.state.others?.map(({ until }) => until - now) ?? [];
    return Math.max(freshAfter(this.state, plan, now), ...others);
  }

  #become(row: StateRow, plan: Plan): void {
    const { state } = this;
    const { own, overriddenUntil, penalty, others } = definitionOf(
      row.definition,
      this.#definitions,
    );
    state.write(row);
    state.blockedUntil = row.blockedUntil;
    state.overriddenUntil = overriddenUntil;
    state.penalty = penalty;
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
