/**
 * Writes and reads the text of a row's definition. It includes the states under other definitions,
 * as JSON.
 */
import {
  type LeaseRecord,
  Leases,
  Log,
  type OtherState,
  type PenaltyRecord,
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
export type RowDefinition = Pick<State, "overriddenUntil" | "penalty"> & {
  readonly own: string;
  readonly others: readonly OtherState[] | undefined;
};

/** A penalty record: `refusals`, `until`, `level`, `forgottenAt`. */
type RecordJson = readonly [number, number, number, number];

/** A part of a text, after the row's own definition. */
type Part = number | RecordJson | StateJson;

/**
 * Returns the text of a row's definition: a limit alone, or a list if there is more to write. There
 * follow the instant of its end if it is an override, the key's penalty record as a list of four
 * numbers, and the states under other definitions. Pure.
 */
export function definitionText(
  own: string,
  { others = [], overriddenUntil, penalty }: Pick<State, "others" | "overriddenUntil" | "penalty">,
  texts: DefinitionCodec,
): string {
  if (others.length === 0 && overriddenUntil === 0 && penalty === undefined) return own;
  const end = overriddenUntil === 0 ? [] : [overriddenUntil];
  const record = penalty === undefined ? [] : [recordJson(penalty)];
  return JSON.stringify([own, ...end, ...record, ...others.map((other) => written(other, texts))]);
}

/** Parses the text of a row's definition. @throws RowError if it can't be read. */
export function definitionOf(text: string, texts: DefinitionCodec): RowDefinition {
  if (!text.startsWith("[")) {
    return { own: text, overriddenUntil: 0, penalty: undefined, others: undefined };
  }
  try {
    const [own, ...rest] = JSON.parse(text) as [string, ...Part[]];
    const overriddenUntil = rest.find(isNumber) ?? 0;
    const others = rest.filter(isState).map((other) => read(other, texts));
    const penalty = recordOf(rest.find(isRecord));
    return { own, overriddenUntil, penalty, others: others.length === 0 ? undefined : others };
  } catch (cause) {
    throw new RowError(`a row whose definitions can't be read: ${text}`, { cause });
  }
}

function isNumber(part: Part): part is number {
  return typeof part === "number";
}

function isRecord(part: Part): part is RecordJson {
  return Array.isArray(part);
}

function isState(part: Part): part is StateJson {
  return !isNumber(part) && !isRecord(part);
}

function recordJson({ refusals, until, level, forgottenAt }: PenaltyRecord): RecordJson {
  return [refusals, until, level, forgottenAt];
}

function recordOf(json: RecordJson | undefined): PenaltyRecord | undefined {
  if (json === undefined) return undefined;
  const [refusals, until, level, forgottenAt] = json;
  return { refusals, until, level, forgottenAt };
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
