/** Options that describe an HTTP request. */
import { InvalidArgumentError, Option } from "commander";
import { clientAddress } from "spillway/http";
import { type NormalRequest, normalRequest } from "../rules/index.ts";

export type RequestOptions = {
  readonly request?: RequestLine;
  readonly header?: Headers;
  readonly address?: string;
};

export type RequestLine = { readonly method: string; readonly target: string };

export function requestOptions(): readonly Option[] {
  return [
    new Option("--request <line>", 'an HTTP request in place of descriptors: "GET /users/7"')
      .argParser(readLine)
      .conflicts("descriptor"),
    new Option(
      "-H, --header <header>",
      'its header, such as "x-api-key: a". May be repeated',
    ).argParser(addHeader),
    new Option("--address <address>", "the address of its client. Default: 127.0.0.1").argParser(
      readAddress,
    ),
  ];
}

function readLine(text: string): RequestLine {
  const [, method, target] = /^([^\s]+)\s+([^\s]+)$/.exec(text.trim()) ?? [];
  if (method === undefined || target === undefined || !/^[a-z]+:\/\/|^[/*]/i.test(target)) {
    throw new InvalidArgumentError('Expected a method and a path, such as "GET /users/7".');
  }
  return { method, target };
}

function addHeader(text: string, before: Headers = new Headers()): Headers {
  const colon = text.indexOf(":");
  const name = text.slice(0, colon).toLowerCase();
  if (name !== "cookie" && before.has(name)) {
    throw new InvalidArgumentError(
      "Expected each header once: repeated ones that rules read are answered with 400.",
    );
  }
  try {
    before.append(text.slice(0, colon), text.slice(colon + 1));
  } catch {
    throw new InvalidArgumentError('Expected a header such as "x-api-key: a".');
  }
  return before;
}

const addressOf = clientAddress();

function readAddress(text: string): string {
  if (addressIn(text, 64) !== undefined) return text;
  throw new InvalidArgumentError("Expected an IP address such as 192.0.2.1.");
}

function addressIn(text: string, bits: number): string | undefined {
  return addressOf({ address: text, header: () => undefined }, bits);
}

/** Returns the request; undefined if its path is a bad one. */
export function requestOf(
  { method, target }: RequestLine,
  { header: headers = new Headers(), address = "127.0.0.1" }: RequestOptions,
): NormalRequest | undefined {
  const header = (name: string) => headers.get(name) ?? undefined;
  const host = header("host") ?? URL.parse(target)?.host ?? "localhost";
  return normalRequest({
    method,
    target: Buffer.from(target).toString("latin1"),
    host,
    header,
    address: (bits) => addressIn(address, bits) ?? address,
  });
}
