import type { RequestCode } from "../error-codes.ts";

/** Thrown for a request that can't be decided. Its message is meant for the caller. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** The HTTP status. */
  readonly status: number;
  readonly code: RequestCode;
  /** Header fields of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the problem document. */
  readonly more: object;

  constructor(problem: {
    readonly status: number;
    readonly code: RequestCode;
    readonly detail: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly more?: object;
  }) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.headers = problem.headers ?? {};
    this.more = problem.more ?? {};
  }
}
