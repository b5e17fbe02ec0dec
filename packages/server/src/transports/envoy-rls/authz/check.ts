/** `Authorization/Check` of Envoy's `ext_authz`: whether Envoy may pass a request on. */
import { clientAddress } from "spillway/http";
import type { MaybePromise } from "spillway/support";
import { type NormalRequest, normalRequest } from "../../../rules/index.ts";
import { classifier, RequestError, type Service } from "../../../service/index.ts";
import { type AskedAnswer, addressOf, askFirst, problemAnswer } from "../../asking/index.ts";
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
  const header = (name: string) => textOf(headers, name);
  const address = (bits: number) => addressIn(attributes, bits) ?? missing("address of the client");
  address(LONGEST_NETWORK);
  const head = {
    method: method || missing("method"),
    target: path || missing("path"),
    host: host || missing("host"),
  };
  return normalRequest({ ...head, header, address }) ?? badPath();
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
  if (!/^[1-8]$/.test(hops)) throw bad("Found bad hops in context_extensions, expected 1 to 8");
  const header = (name: string) => headers.get(name)?.join(", ");
  return addressOf({ header, hops: Number(hops) }, bits);
}

/** Some servers read the first value of a repeated header, others the last or all together. */
function textOf(headers: CheckAttributes["headers"], name: string): string | undefined {
  const values = headers.get(name);
  if (name === "cookie") return values?.join("; ");
  if (values === undefined || values.length < 2) return values?.[0];
  throw bad(`Found the header ${name} more than once, expected one value`);
}

function missing(what: string): never {
  throw bad(`Found no usable ${what} in the attributes, expected Envoy to send it`);
}

function badPath(): never {
  throw bad(
    "Found a path with control characters, invalid escapes, or more than one meaning, expected " +
      "one that every server reads alike",
  );
}

function bad(detail: string): RequestError {
  return new RequestError({ status: 400, code: "bad-request", detail });
}
