/** Reads from the environment which share of requests is traced. Pure. */

/** Rules for which requests are traced. */
export type Sampling = {
  /** The share of requests that the service samples itself: 0 to 1. */
  readonly share: number;
  /** Whether a caller's `traceparent` overrides the share. */
  readonly trustsCallers: boolean;
};

type SamplingEnvironment = Readonly<Record<string, string | undefined>>;

const SHARES: ReadonlyMap<string, number | undefined> = new Map([
  ["always_on", 1],
  ["always_off", 0],
  // The share is in OTEL_TRACES_SAMPLER_ARG.
  ["traceidratio", undefined],
]);
const TRUSTING = "parentbased_";
const NAMES = [...SHARES.keys()].flatMap((name) => [name, TRUSTING + name]);

const ALL = { share: 1, trustsCallers: false };

/**
 * Reads `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`. Default, also for invalid values: all
 * requests are traced.
 */
export function samplingOf(
  env: SamplingEnvironment,
): Sampling & { readonly warnings: readonly string[] } {
  const { OTEL_TRACES_SAMPLER: name = "", OTEL_TRACES_SAMPLER_ARG: given = "" } = env;
  if (name === "") return { ...ALL, warnings: [] };
  if (!NAMES.includes(name)) {
    const warning = `OTEL_TRACES_SAMPLER: expected ${NAMES.join(", ")}; all requests are traced`;
    return { ...ALL, warnings: [warning] };
  }
  const trustsCallers = name.startsWith(TRUSTING);
  const fixed = SHARES.get(trustsCallers ? name.slice(TRUSTING.length) : name);
  const share = fixed ?? shareOf(given);
  if (share !== undefined) return { share, trustsCallers, warnings: [] };
  const warning = "OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1; 1 is used";
  return { share: 1, trustsCallers, warnings: [warning] };
}

function shareOf(text: string): number | undefined {
  const share = text.trim() === "" ? Number.NaN : Number(text);
  return share >= 0 && share <= 1 ? share : undefined;
}
