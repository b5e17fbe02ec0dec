import type { Otlp, OtlpOptions } from "./otlp.ts";
import type { OtlpSettings } from "./settings.ts";

const NONE: Otlp = { traces: undefined, close: async () => {} };

/** Begins to send what is wanted. The SDK takes longer to load than all the rest. */
export async function startOtlp(
  settings: OtlpSettings,
  beside: Pick<OtlpOptions, "series" | "warn">,
): Promise<Otlp> {
  for (const line of settings.warnings) beside.warn(line);
  if (!settings.metrics && !settings.traces) return NONE;
  const { otlp } = await import("./otlp.ts");
  return otlp({ ...settings, ...beside });
}
