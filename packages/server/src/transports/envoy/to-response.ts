/** Converts the service's response to Envoy's RateLimitResponse. */
import type { Decision, Limit } from "spillway";
import { milliseconds, SECOND } from "spillway/core";
import { MOST_UNITS } from "spillway/support";
import { unitLasting } from "../../rules/index.ts";
import type { LimitResponse, RuleDecision, ServiceSettings } from "../../service/index.ts";
import { headersOf } from "./headers.ts";
import type {
  Code,
  DescriptorMessage,
  RequestMessage,
  ResponseMessage,
  StatusMessage,
  UnitName,
} from "./message.ts";
import { metadataOf } from "./metadata.ts";
import type { EnvoyOptions } from "./options.ts";

/** Envoy's number for "no bound". */
const MOST_UINT32 = 2 ** 32 - 1;

/** The request that is answered, and the options. */
export type ResponseContext = {
  readonly request: RequestMessage;
  readonly options: EnvoyOptions;
  readonly settings: ServiceSettings;
};

export const NO_LIMIT: StatusMessage = {
  code: "OK",
  currentLimit: undefined,
  limitRemaining: 0,
  durationUntilReset: undefined,
};
const UNLIMITED: StatusMessage = { ...NO_LIMIT, limitRemaining: MOST_UINT32 };

/** Builds the message. Pure. */
export function toResponse(response: LimitResponse, answering: ResponseContext): ResponseMessage {
  const { options, settings } = answering;
  const statuses = response.outcomes.map((outcome, index) =>
    withSurplus(statusOf(outcome, response), answering.request.descriptors[index]),
  );
  const { dynamicMetadata = false, responseHeaders } = options;
  return {
    overallCode: codeOf(response.joint?.ok ?? true),
    statuses,
    responseHeadersToAdd: responseHeaders
      ? headersOf(response, { statuses, names: responseHeaders, settings })
      : [],
    dynamicMetadata:
      dynamicMetadata || response.lease !== undefined
        ? {
            ...(dynamicMetadata && metadataOf(response, { statuses, request: answering.request })),
            ...(response.lease && { lease: response.lease.name }),
          }
        : undefined,
  };
}

function codeOf(ok: boolean): Code {
  return ok ? "OK" : "OVER_LIMIT";
}

function statusOf(outcome: RuleDecision | undefined, response: LimitResponse): StatusMessage {
  if (outcome === undefined) return NO_LIMIT;
  const { decidedBy, decision, role } = outcome;
  const { limit, label = "" } = decidedBy;
  if (limit === "unlimited") return UNLIMITED;
  const rate = "rate" in limit ? limit.rate : limit.capacity;
  return {
    code: codeOf(decision.ok || role === "shadow"),
    currentLimit: { requestsPerUnit: rate, unit: unitOf(limit), name: label },
    // Envoy's service reports 0 left for a refusal.
    limitRemaining: decision.ok ? decision.remaining : 0,
    durationUntilReset: durationOf(limit, decision, response.now),
  };
}

/**
 * Reports a limit that came with the request, and exceeds the largest possible one, as it was
 * given. The excess counts as left.
 */
function withSurplus(
  status: StatusMessage,
  descriptor: DescriptorMessage | undefined,
): StatusMessage {
  if (descriptor?.limit === undefined) return status;
  const surplus = descriptor.limit.requestsPerUnit - MOST_UNITS;
  const { currentLimit, limitRemaining, code } = status;
  if (surplus <= 0 || currentLimit === undefined || code !== "OK") return status;
  return {
    ...status,
    currentLimit: { ...currentLimit, requestsPerUnit: currentLimit.requestsPerUnit + surplus },
    limitRemaining: limitRemaining + surplus,
  };
}

function unitOf(limit: Limit): UnitName {
  const ms = milliseconds("period" in limit ? limit.period : undefined) ?? 0;
  return (unitLasting(ms)?.toUpperCase() ?? "UNKNOWN") as UnitName;
}

/**
 * Returns the seconds until the window ends, or until the key is fully reset; undefined for never.
 */
function durationOf(limit: Limit, decision: Decision, now: number): number | undefined {
  // Without the store, retrying at the end of the window is no use.
  const ms = (decision.degraded ? undefined : untilWindowEnds(limit, now)) ?? decision.resetAfter;
  return Number.isFinite(ms) ? Math.ceil(ms / SECOND) : undefined;
}

/**
 * Returns milliseconds; undefined if there are no windows, or if each key has its own, whose ends
 * only the store knows.
 */
function untilWindowEnds(limit: Limit, now: number): number | undefined {
  if (limit.kind !== "fixed window" || limit.start === undefined) return undefined;
  const period = milliseconds(limit.period) ?? 1;
  const into = (now - limit.start) % period;
  return period - (into < 0 ? into + period : into);
}
