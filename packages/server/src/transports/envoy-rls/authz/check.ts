/** `Authorization/Check` of Envoy's `ext_authz`: whether Envoy may pass a request on. */
import { clientAddress } from "spillway/http";
import type { MaybePromise } from "spillway/support";
import type { NormalRequest } from "../../../rules/index.ts";
import { classifier, RequestError, type Service } from "../../../service/index.ts";
import {
  type AskedAnswer,
  addressOf,
  askFirst,
  badRequest,
  plainHeader,
  plainRequest,
  problemAnswer,
} from "../../asking/index.ts";
import { type CheckAttributes, readCheckRequest } from "./check-request.ts";

/** Returns a function that answers the bytes of a CheckRequest. It throws for other bytes. */
export function checker(service: Service): (message: Buffer) => MaybePromise<AskedAnswer> {
  const classified = classifier();
  return (message) => {
    const attributes = readCheckRequest(message);
    try {
      const domain = attributes.extensions.get("domain");
      const request = requestOf(attributes);
      const accept = () => attributes.headers.get("accept")?.join(", ");
      const answer = askFirst({ service, classified, domain, request, accept });
      return answer instanceof Promise ? answer.catch(problem) : answer;
    } catch (error) {
      return problem(error);
    }
  };
}

function problem(error: unknown): AskedAnswer {
  if (error instanceof RequestError) return problemAnswer(error);
  throw error;
}

/** @throws RequestError `bad-request` */
function requestOf(attributes: CheckAttributes): NormalRequest {
  const { method, path, host, headers } = attributes;
  const header = (name: string) => plainHeader(name, headers.get(name));
  const address = (bits: number) => addressIn(attributes, bits) ?? missing("address of the client");
  address(LONGEST_NETWORK);
  const head = {
    method: method || missing("method"),
    target: path || missing("path"),
    host: host || missing("host"),
  };
  return plainRequest({ ...head, header, address });
}

const LONGEST_NETWORK = 64;

const ofPeer = clientAddress({});

/** Returns the peer of Envoy's connection, or an entry of X-Forwarded-For if a route says so. */
function addressIn(
  { source, headers, extensions }: CheckAttributes,
  bits: number,
): string | undefined {
  const hops = extensions.get("hops");
  if (hops === undefined) return ofPeer({ address: source, header: () => undefined }, bits);
  if (!/^[1-8]$/.test(hops))
    throw badRequest("Found bad hops in context_extensions, expected 1 to 8");
  const header = (name: string) => headers.get(name)?.join(", ");
  return addressOf({ header, hops: Number(hops) }, bits);
}

function missing(what: string): never {
  throw badRequest(`Found no usable ${what} in the attributes, expected Envoy to send it`);
}
