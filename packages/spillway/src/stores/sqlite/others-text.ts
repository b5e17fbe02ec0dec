/**
 * Writes and reads the text of a row's definition. It includes the states under other definitions,
 * as JSON.
 */
import {
  type LeaseRecord,
  Leases,
  Log,
  type OtherState,
  type Plan,
  State,
} from "../../limits/core/index.ts";
import { RowError } from "./rows.ts";

/** Converts plans to texts and back. */
type DefinitionCodec = { text(plan: Plan): string; plan(text: string): Plan };

/** A state and its definition, as JSON. */
type StateJson = Pick<State, "used" | "since" | "previous" | "unsettled"> & {
  readonly definition: string;
  readonly until: number;
  readonly log?: readonly { readonly instant: number; readonly units: number }[];
  readonly leases?: readonly LeaseRecord[];
};

/** The content of a definition's text: the row's own definition, and the states under others. */
export type RowDefinition = Pick<State, "overriddenUntil"> & {
  readonly own: string;
  readonly others: readonly OtherState[] | undefined;
};

/**
 * Returns the text of a row's definition: a limit alone, or a list if there are states under
 * others. If it is an override, the instant of its end follows. Pure.
 */
export function definitionText(
  own: string,
  { others = [], overriddenUntil }: Pick<State, "others" | "overriddenUntil">,
  texts: DefinitionCodec,
): string {
  if (others.length === 0 && overriddenUntil === 0) return own;
  const end = overriddenUntil === 0 ? [] : [overriddenUntil];
  return JSON.stringify([own, ...end, ...others.map((other) => written(other, texts))]);
}

/** Parses the text of a row's definition. @throws RowError if it can't be read. */
export function definitionOf(text: string, texts: DefinitionCodec): RowDefinition {
  if (!text.startsWith("[")) return { own: text, overriddenUntil: 0, others: undefined };
  try {
    const [own, ...rest] = JSON.parse(text) as [string, ...(number | StateJson)[]];
    const overriddenUntil = rest.find(isNumber) ?? 0;
    const others = rest.filter(isState).map((other) => read(other, texts));
    return { own, overriddenUntil, others: others.length === 0 ? undefined : others };
  } catch (cause) {
    throw new RowError(`a row whose definitions can't be read: ${text}`, { cause });
  }
}

function isNumber(part: number | StateJson): part is number {
  return typeof part === "number";
}

function isState(part: number | StateJson): part is StateJson {
  return typeof part === "object";
}

function written({ state, until }: OtherState, texts: DefinitionCodec): StateJson {
  const { used, since, previous, unsettled, log, leases } = state;
  const definition = texts.text(state.plan as Plan);
  const entries = log && Array.from({ length: log.length }, (_, index) => entryOf(log, index));
  return {
    definition,
    used,
    since,
    previous,
    unsettled,
    until,
    ...(entries && { log: entries }),
    ...(leases && { leases: [...leases] }),
  };
}

function entryOf(log: Log, index: number) {
  return { instant: log.instant(index), units: log.units(index) };
}

function read(from: StateJson, texts: DefinitionCodec): OtherState {
  const state = new State();
  state.write(from);
  state.plan = texts.plan(from.definition);
  if (from.log !== undefined) {
    state.log = new Log();
    for (const entry of from.log) state.log.push(entry);
  }
  if (from.leases !== undefined) {
    state.leases = new Leases();
    for (const lent of from.leases) state.leases.add(lent);
  }
  return { state, until: from.until };
}
