/**
 * Types that reveal misuse. A type parameter accepts an object with additional fields, so these
 * types check for them.
 */
import type { Kind, Limit } from "../limits/core/index.ts";

/** No value has this property. Its type exists to appear in compiler errors. */
declare const reason: unique symbol;

/** The type of a field that its limit's kind does not have. Compiler errors show it. */
export interface UnknownField<F, K extends Kind> {
  readonly [reason]: [F, "is no field of a", K];
}

/**
 * The type of `reserve`, other than false, if units can't be taken ahead of time. Compiler errors
 * show it.
 */
export interface ReserveIsOnlyFor<K extends Kind> {
  readonly [reason]: K;
}

/**
 * Limits by name. The compiler prints this name for a constant whose `kind` is of type `string`.
 *
 * A limit keeps its kind if it is written where the limiter is created, or held `as const`.
 */
export type LimitsInPlaceOrAsConst = { readonly [name: string]: Limit };

/** The names of a kind's fields. */
type FieldOf<K extends Kind> = K extends Kind ? keyof Extract<Limit, { readonly kind: K }> : never;

/** A limit, with the fields of its kind and no others. */
type CheckedLimit<One> = One extends { readonly kind: infer K extends Kind }
  ? { readonly [F in keyof One]: F extends FieldOf<K> ? One[F] : UnknownField<F, K> }
  : One;

/**
 * Limits by name, with the fields of their kinds and no others. Limits whose names are not known
 * are unchanged.
 */
export type CheckedLimits<L> = string extends keyof L
  ? L
  : { readonly [N in keyof L]: CheckedLimit<L[N]> };
