/** A `Retry-After` header: whole seconds, rounded up; none where no wait helps. Pure. */
export function retryAfterHeader(ms: number): Readonly<Record<string, string>> {
  return Number.isFinite(ms) ? { "retry-after": String(Math.ceil(ms / 1000)) } : {};
}
