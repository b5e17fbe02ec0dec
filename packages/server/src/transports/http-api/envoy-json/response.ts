/** Writes a RateLimitResponse as protobuf's JSON. */
import type { ResponseMessage, StatusMessage } from "../../envoy/index.ts";

/** Builds the body. Fields with their default value are left out. Pure. */
export function toJson(response: ResponseMessage) {
  const { overallCode, statuses, responseHeadersToAdd: headers, dynamicMetadata } = response;
  return {
    overallCode,
    statuses: statuses.map(statusOf),
    responseHeadersToAdd: headers.length === 0 ? undefined : headers,
    dynamicMetadata,
  };
}

function statusOf({ code, currentLimit, limitRemaining, durationUntilReset }: StatusMessage) {
  return {
    code,
    currentLimit: currentLimit && {
      requestsPerUnit: currentLimit.requestsPerUnit || undefined,
      unit: currentLimit.unit === "UNKNOWN" ? undefined : currentLimit.unit,
      name: currentLimit.name || undefined,
    },
    limitRemaining: limitRemaining || undefined,
    durationUntilReset: durationUntilReset === undefined ? undefined : `${durationUntilReset}s`,
  };
}
