/** The units of `grpc-timeout`, in milliseconds. */
const UNITS: { readonly [unit: string]: number } = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** The longest timeout, in milliseconds: a day. */
const LONGEST = 86_400_000;

/**
 * Returns the client's timeout in whole milliseconds, rounded up; undefined if it has none. Pure.
 */
export function timeoutOf(header: string | readonly string[] | undefined): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(String(header ?? "")) ?? [];
  if (digits === undefined) return undefined;
  return Math.min(LONGEST, Math.ceil(Number(digits) * (UNITS[unit] ?? 1)));
}
