/** Answers a RateLimitRequest: takes units, and releases the leases that it names. */
import { chain, type MaybePromise } from "spillway/support";
import { LEASE_PATTERN, type LimitResponse, type Service } from "../../service/index.ts";
import type { DescriptorMessage, RequestMessage, ResponseMessage } from "./message.ts";
import type { EnvoyOptions } from "./options.ts";
import { toLimitRequest } from "./to-request.ts";
import { NO_LIMIT, toResponse } from "./to-response.ts";

/** The key of a descriptor's last entry, whose value names a lease to release. */
export const LEASE_KEY = "spillway.lease";

export type RateLimitReply = {
  readonly message: ResponseMessage;
  /** The decisions; undefined if the request only released leases. */
  readonly response: LimitResponse | undefined;
};

/** @throws RequestError; SpillwayError `unavailable` */
export function rateLimit(
  service: Service,
  request: RequestMessage,
  options: EnvoyOptions,
): MaybePromise<RateLimitReply> {
  if (request.descriptors.some(isRelease)) return withReleases(service, request, options);
  return limited(service, request, options);
}

function limited(
  service: Service,
  request: RequestMessage,
  options: EnvoyOptions,
): MaybePromise<RateLimitReply> {
  const { settings } = service;
  return chain(service.limit(toLimitRequest(request)), (response) => ({
    message: toResponse(response, { request, options, settings }),
    response,
  }));
}

const LEASE = new RegExp(LEASE_PATTERN);

function isRelease({ entries }: DescriptorMessage): boolean {
  const last = entries.at(-1);
  return last?.key === LEASE_KEY && entries.length > 1 && LEASE.test(last.value);
}

const DONE: ResponseMessage = {
  overallCode: "OK",
  statuses: [],
  responseHeadersToAdd: [],
  dynamicMetadata: undefined,
};

async function withReleases(
  service: Service,
  request: RequestMessage,
  options: EnvoyOptions,
): Promise<RateLimitReply> {
  const others = request.descriptors.filter((one) => !isRelease(one));
  await release(service, { ...request, descriptors: request.descriptors.filter(isRelease) });
  const { message, response } =
    others.length === 0
      ? { message: DONE, response: undefined }
      : await limited(service, { ...request, descriptors: others }, options);
  const own = [...message.statuses];
  const statuses = request.descriptors.map((one) =>
    isRelease(one) ? NO_LIMIT : (own.shift() ?? NO_LIMIT),
  );
  return { message: { ...message, statuses }, response };
}

/** Releases each lease on the budgets of its descriptors, without the entry that names it. */
async function release(service: Service, request: RequestMessage): Promise<void> {
  const named = Map.groupBy(request.descriptors, ({ entries }) => secretOf(entries.at(-1)?.value));
  const releases = [...named].map(([lease, some]) => {
    const descriptors = some.map((one) => ({ ...one, entries: one.entries.slice(0, -1) }));
    return service.release({ ...toLimitRequest({ ...request, descriptors }), lease });
  });
  await Promise.all(releases);
}

/**
 * Returns the name's secret. The positions after it refer to the request that was given the lease,
 * from which this one may differ.
 */
function secretOf(name = ""): string {
  return name.split(".", 1)[0] ?? "";
}
