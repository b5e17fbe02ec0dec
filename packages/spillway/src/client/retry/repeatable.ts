/** What may be sent twice. Pure. */

/** What is needed of a request, to know whether it may be repeated. */
export type Repeatable = {
  /** In upper case. */
  readonly method: string;
  readonly body: unknown;
  header(name: string): string | undefined;
};

/** Methods that have the same effect however often they are carried out (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

/** Whether a request has the same effect if it is carried out twice. */
export function isIdempotent({ method, header }: Repeatable): boolean {
  return IDEMPOTENT.has(method) || (header("idempotency-key") ?? "") !== "";
}

/** Whether a body is there for a second time: streams are not, nor is what can't be distinguished from one. */
export function canBeSentAgain({ body }: Pick<Repeatable, "body">): boolean {
  if (body === undefined || body === null || typeof body === "string") return true;
  if (typeof body !== "object") return false;
  return ArrayBuffer.isView(body) || KEPT.has(Object.prototype.toString.call(body));
}

const KEPT = new Set(
  ["ArrayBuffer", "SharedArrayBuffer", "Blob", "File", "FormData", "URLSearchParams"].map(
    (name) => `[object ${name}]`,
  ),
);
