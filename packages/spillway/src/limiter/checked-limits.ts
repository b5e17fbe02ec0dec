/** Misuse that types can show. A type parameter takes whatever has the fields it needs, and any more. */
import type { Kind, Limit } from "../limits/core/index.ts";

/** No value has it: it is there for the compiler to name. */
declare const reason: unique symbol;

/** What a field should have been that is not one of its limit's kind. */
export interface UnknownField<F, K extends Kind> {
  readonly [reason]: [F, "is no field of a", K];
}

/** What `reserve` should have been, other than false, where units can't be taken ahead of time. */
export interface ReserveIsOnlyFor<K extends Kind> {
  readonly [reason]: K;
}

/**
 * Limits by name, under the name that the compiler prints for a constant whose `kind` is of type `string`: written where
 * the limiter is made, or held `as const`, a limit keeps its kind.
 */
export type LimitsInPlaceOrAsConst = { readonly [name: string]: Limit };

/** The names of a kind's fields. */
type FieldOf<K extends Kind> = K extends Kind ? keyof Extract<Limit, { readonly kind: K }> : never;

/** A limit, with the fields of its kind and no others. */
type CheckedLimit<One> = One extends { readonly kind: infer K extends Kind }
  ? { readonly [F in keyof One]: F extends FieldOf<K> ? One[F] : UnknownField<F, K> }
  : One;

/** Limits by name, with the fields of their kinds and no others. Limits that are data are as they are. */
export type CheckedLimits<L> = string extends keyof L
  ? L
  : { readonly [N in keyof L]: CheckedLimit<L[N]> };
