/** The headers that a gateway is asked to add to its response. Pure. */
import { refusalHeaders } from "spillway/http";
import type { LimitResponse, Settings } from "../../service/index.ts";
import type { Header, StatusMessage } from "./message.ts";
import type { HeaderNames } from "./options.ts";

type Headers = {
  readonly statuses: readonly StatusMessage[];
  readonly names: HeaderNames;
  readonly settings: Settings;
};

/**
 * Those of the status with the least left; of one that refuses the request, where there is one. A
 * refusal also says when to come back.
 */
export function headersOf(response: LimitResponse, headers: Headers): readonly Header[] {
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

/** The last status that is over its limit, but for quotas. */
function lastRefusing(
  { outcomes }: LimitResponse,
  { statuses }: Headers,
): StatusMessage | undefined {
  return statuses.findLast(
    ({ code }, index) => code === "OVER_LIMIT" && outcomes[index]?.role === "must",
  );
}

function retryAfter({ joint }: LimitResponse): readonly Header[] {
  if (joint === undefined || joint.ok) return [];
  return Object.entries(refusalHeaders(joint)).map(([key, value]) => ({ key, value }));
}
