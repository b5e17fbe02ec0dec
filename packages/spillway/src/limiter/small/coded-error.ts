import type { ErrorCode } from "../../limits/core/index.ts";

/** The place of an error: a limit and a field, if they are known. */
export type ErrorPlace = { readonly limit?: string | undefined; readonly field: string };

/**
 * Misuse of a small limiter: a code and the place, without the text of a `SpillwayError`.
 *
 * `docs/errors.md` explains each code. The value is left out, because it may be private.
 */
export class CodedError extends Error {
  override readonly name: string = "CodedError";
  /** The error code, the same as that of a `SpillwayError`. */
  readonly code: ErrorCode;
  /** The limit concerned, if there is one. */
  readonly limit: string | undefined;
  /** The field or argument at fault. */
  readonly field: string;

  constructor(code: ErrorCode, { limit, field }: ErrorPlace) {
    super(`${code}: ${limit === undefined ? "" : `limit ${JSON.stringify(limit)}, `}${field}`);
    this.code = code;
    this.limit = limit;
    this.field = field;
  }
}
