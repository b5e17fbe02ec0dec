/** Lists the exceptions of keys: by the register, and by the states that they are in force in. */
import { after, allOf, badOption, checkWhole } from "../../internal/index.ts";
import type {
  Answer,
  Budget,
  RegisterAnswer,
  RegisterCommandOf,
  Store,
  Timing,
  Value,
} from "../../limits/core/index.ts";
import type { Asks } from "../asks.ts";
import { checkFields, EXCEPTIONS_FIELDS } from "../check-ask.ts";
import type { ExceptionsOptions } from "../options.ts";
import {
  ALL_IDS,
  type ExceptionKey,
  type ExceptionType,
  exceptionAt,
  type IdRange,
  rangeOfKey,
  rangeOfLimit,
} from "./ids.ts";
import { endsAfter, registerOf } from "./registered.ts";

/** A block or an override of one key that is in force. */
export type KeyException = ExceptionKey & {
  readonly type: ExceptionType;
  /** The reason given; undefined for none. */
  readonly reason: string | undefined;
  /** When it began, in milliseconds since 1970, by the store's clock. */
  readonly since: number;
  /** Milliseconds until it ends by itself. */
  readonly endsAfter: number;
};

/** Some of the exceptions of keys, ordered by limit, key and type. */
export type ExceptionPage = {
  /** May be fewer than `most`, or none, although there is a next page. */
  readonly exceptions: readonly KeyException[];
  /** The `after` of the next page; undefined if this is the last one. */
  readonly next: string | undefined;
};

type Entry = RegisterAnswer<RegisterCommandOf<"list">>[number];

/** An entry whose limit is known. */
type KnownEntry = Entry & {
  readonly budget: Budget;
  readonly type: ExceptionType;
};

const MOST = 1000;

/** Returns a page of exceptions. @throws SpillwayError for misuse; `no-register` */
export function exceptionPage<M extends Timing>(
  { asks, store }: { readonly asks: Asks; readonly store: Store<M> },
  options: ExceptionsOptions,
): Answer<M, ExceptionPage> {
  const timing: M = store.timing;
  checkFields("", options, EXCEPTIONS_FIELDS);
  const { limit, most = 100, after: cursor = "" } = options;
  checkWhole("most", most, { most: MOST });
  const { range, budgetOf } = limit === undefined ? inAll(asks, options) : inOne(asks, options);
  const list = { verb: "list", ...afterCursor(range, cursor), most } as const;
  const listed = registerOf(store, limit)(list);
  return after(timing, listed, (entries) => {
    const known = entries.flatMap((entry) => knownEntry(entry, budgetOf));
    const states = allOf(timing, known, ({ budget }) =>
      store.execute({ verb: "value", budgets: [budget] }),
    );
    return after(timing, states, (values) => ({
      exceptions: known.flatMap((entry, index) => inForce(entry, values[index] as Value)),
      next: entries.length < most ? undefined : entries.at(-1)?.id,
    }));
  });
}

/** The entries of a list, and the limits of their keys. */
type Listing = {
  readonly range: IdRange;
  /** Returns the budget of a limit without its key; undefined if the limit is not known. */
  readonly budgetOf: (limit: string) => Budget | undefined;
};

/** Lists one limit, or one key of it. @throws SpillwayError `unknown-limit`, `bad-key` */
function inOne(asks: Asks, options: ExceptionsOptions): Listing {
  const { limit = "", ...rest } = options;
  const budget = asks.budget(limit, rest, EXCEPTIONS_FIELDS);
  const range = "key" in options ? rangeOfKey(budget) : rangeOfLimit(limit);
  return { range, budgetOf: () => budget };
}

/** Lists all limits. @throws SpillwayError `bad-option` if a key has no limit */
function inAll(asks: Asks, options: ExceptionsOptions): Listing {
  for (const field of ["key", "config"] as const) {
    if (!(field in options)) continue;
    throw badOption("limit", undefined, `the name of a limit, because there is a \`${field}\``);
  }
  return { range: ALL_IDS, budgetOf: (limit) => asks.defined(limit) };
}

/** @throws SpillwayError `bad-option` if the cursor is not what an earlier page returned */
function afterCursor({ after: start, before }: IdRange, cursor: unknown): IdRange {
  if (cursor === "") return { after: start, before };
  if (typeof cursor !== "string" || exceptionAt(cursor) === undefined) {
    throw badOption("after", cursor, "the `next` of an earlier page", { isPrivate: true });
  }
  return { after: cursor > start ? cursor : start, before };
}

function knownEntry(entry: Entry, budgetOf: Listing["budgetOf"]): readonly KnownEntry[] {
  const exception = exceptionAt(entry.id);
  const budget = exception && budgetOf(exception.limit);
  if (exception === undefined || budget === undefined) return [];
  return [{ ...entry, type: exception.type, budget: { ...budget, key: exception.key } }];
}

/** Returns the exception if its state has it. */
function inForce(
  { budget, type, reason, since }: KnownEntry,
  value: Value,
): readonly KeyException[] {
  const ms = endsAfter(type, value);
  if (ms === 0) return [];
  const { plan, key } = budget;
  return [{ limit: plan.limit, key, type, reason: reason || undefined, since, endsAfter: ms }];
}
