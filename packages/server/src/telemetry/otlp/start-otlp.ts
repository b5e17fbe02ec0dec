import type { Otlp, OtlpOptions } from "./otlp.ts";
import type { OtlpSettings } from "./settings.ts";

const NONE: Otlp = { traces: undefined, close: async () => {} };

/**
 * Starts to send telemetry, if it is wanted. Loading the SDK takes longer than the rest of the
 * start.
 */
export async function startOtlp(
  settings: OtlpSettings,
  beside: Pick<OtlpOptions, "series" | "warn">,
): Promise<Otlp> {
  for (const line of settings.warnings) beside.warn(line);
  if (!settings.metrics && !settings.traces) return NONE;
  const { otlp } = await import("./otlp.ts");
  return otlp({ ...settings, ...beside });
}
