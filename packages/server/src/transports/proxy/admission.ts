/** Decides whether a request may go on: rules classify it, and the service takes from limits. */
import { chain, type MaybePromise } from "spillway/support";
import type { NormalRequest } from "../../rules/index.ts";
import {
  type Classifier,
  type LimitResponse,
  RenewedLease,
  RequestError,
  type Service,
} from "../../service/index.ts";
import { sectionOf } from "../asking/index.ts";

/** An admitted or refused request. */
export type AdmittedRequest = {
  /** The decision; undefined if no limit applies. */
  readonly response: LimitResponse | undefined;
  /** The lease on units in flight; undefined if no concurrency limit applies. */
  readonly lease: RenewedLease | undefined;
};

type AdmissionOptions = {
  readonly service: Service;
  readonly classified: Classifier;
  readonly domain?: string | undefined;
};

const NO_LIMIT: AdmittedRequest = { response: undefined, lease: undefined };

/** @throws RequestError, or rejects with one, if the request can't be classified */
export function admit(
  request: NormalRequest,
  { service, classified, domain: named }: AdmissionOptions,
): MaybePromise<AdmittedRequest> {
  const section = sectionInUse(service, named);
  return chain(classified(section.items, request), (descriptors) => {
    if (descriptors.length === 0) return NO_LIMIT;
    const asked = { domain: section.domain, descriptors };
    return chain(service.limit({ ...asked, estimates: true }), (response) => {
      const { lease: held } = response;
      const lease = held && new RenewedLease({ service, asked, held });
      return { response, lease };
    });
  });
}

/** Rules may lose their section while the proxy runs. A client is not the cause. */
function sectionInUse(service: Service, named: string | undefined) {
  try {
    return sectionOf(service, named);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code } = error;
    const detail = "The rules in use have no http section for this proxy; see its log";
    throw new RequestError({ status: 503, code, detail });
  }
}
