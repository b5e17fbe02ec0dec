/** Builds the headers that a gateway is asked to add to its response. Pure. */
import { refusalHeaders } from "spillway/http";
import type { LimitResponse, ServiceSettings } from "../../service/index.ts";
import type { HeaderMessage, StatusMessage } from "./message.ts";
import type { HeaderNames } from "./options.ts";

type HeaderContext = {
  readonly statuses: readonly StatusMessage[];
  readonly names: HeaderNames;
  readonly settings: ServiceSettings;
};

/**
 * Returns the headers for the status with the least left, or for one that refuses the request. A
 * refusal also has the time to wait.
 */
export function headersOf(
  response: LimitResponse,
  headers: HeaderContext,
): readonly HeaderMessage[] {
  const { statuses, names } = headers;
  const shown = lastRefusing(response, headers) ?? tightest(statuses);
  if (shown?.currentLimit === undefined) return [];
  const reset = shown.durationUntilReset;
  return [
    { key: names.limit, value: String(shown.currentLimit.requestsPerUnit) },
    { key: names.remaining, value: String(shown.limitRemaining) },
    ...(reset === undefined ? [] : [{ key: names.reset, value: String(reset) }]),
    ...retryAfter(response),
  ];
}

function tightest(statuses: readonly StatusMessage[]): StatusMessage | undefined {
  const limited = statuses.filter(({ currentLimit }) => currentLimit !== undefined);
  if (limited.length === 0) return undefined;
  return limited.reduce((best, one) => (one.limitRemaining < best.limitRemaining ? one : best));
}

/** Returns the last status that is over its limit, ignoring quotas. */
function lastRefusing(
  { outcomes }: LimitResponse,
  { statuses }: HeaderContext,
): StatusMessage | undefined {
  return statuses.findLast(
    ({ code }, index) => code === "OVER_LIMIT" && outcomes[index]?.role === "must",
  );
}

function retryAfter({ joint }: LimitResponse): readonly HeaderMessage[] {
  if (joint === undefined || joint.ok) return [];
  return Object.entries(refusalHeaders(joint)).map(([key, value]) => ({ key, value }));
}
