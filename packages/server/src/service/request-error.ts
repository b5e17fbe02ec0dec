import type { RequestCode } from "../error-codes.ts";

/** A request that gets no decision, and why. Its message is for the caller. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** The HTTP status. */
  readonly status: number;
  readonly code: RequestCode;
  /** Header fields that go with the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** What a problem document says beside. */
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
