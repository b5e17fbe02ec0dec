/** The status with which a gRPC call ends. */

/** The status codes used here, with gRPC's numbers. */
export const STATUS = {
  OK: 0,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
} as const;

export type StatusCode = (typeof STATUS)[keyof typeof STATUS];

const NAMES = new Map(Object.entries(STATUS).map(([name, status]) => [status, name]));

/** Returns gRPC's name of a code. Pure. */
export function nameOf(status: StatusCode): string {
  return NAMES.get(status) as string;
}

/** Ends a call without an answer. Its message is meant for the caller. */
export class GrpcError extends Error {
  override readonly name = "GrpcError";
  readonly status: StatusCode;
  /** Header fields sent with it. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: StatusCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** The longest message that is sent, in characters: some clients accept only 8 KiB of headers. */
const LONGEST = 1000;

/** Encodes a text for a header: everything except printable ASCII is %-encoded. Pure. */
export function encodedMessage(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return cut.toWellFormed().replace(/[^ -$&-~]+/gu, encodeURIComponent);
}
