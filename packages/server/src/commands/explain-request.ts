/** Finds the descriptors of the HTTP request that options describe. Pure. */
import { printable } from "spillway/support";
import { classify, type DescriptorEntry, type Rules } from "../rules/index.ts";
import { type RequestLine, type RequestOptions, requestOf } from "./request-options.ts";

/** The descriptors to explain. */
export type ExplainQuery = {
  readonly domain: string;
  readonly descriptor: readonly (readonly DescriptorEntry[])[];
  /** The place of the item that made each descriptor. Default: none. */
  readonly places?: readonly string[];
};

/** The descriptors of a request, or why it has none. */
export type ClassifiedQuery = {
  readonly heading: string;
  readonly query: ExplainQuery | undefined;
};

/** Returns the descriptors of a request by the `http` section of a domain. */
export function classifiedQuery(
  { http }: Rules,
  line: RequestLine,
  { domain: named, ...options }: RequestOptions & { readonly domain?: string },
): ClassifiedQuery {
  const [only] = http.keys();
  const domain = named ?? (http.size === 1 ? only : undefined);
  const items = domain === undefined ? undefined : http.get(domain);
  if (domain === undefined || items === undefined) {
    const names = http.size === 0 ? "none" : listed(http.keys());
    const heading = `No http section is named; domains that have one: ${names}`;
    return { heading, query: undefined };
  }
  const asked = printable(`${line.method} ${line.target}`);
  const request = requestOf(line, options);
  if (request === undefined) {
    const heading = `Request ${asked} is a bad one: its path has no single meaning`;
    return { heading, query: undefined };
  }
  const found = classify(items, request);
  const none = found.length === 0 ? ": no descriptor, so no limit" : "";
  return {
    heading: `Request ${asked}, whose path is read as ${printable(request.path)}${none}`,
    query: {
      domain,
      descriptor: found.map(({ entries }) => entries),
      places: found.map(({ item: { place } }) => `  (${printable(place.file)}:${place.line})`),
    },
  };
}

function listed(names: Iterable<string>): string {
  return [...names]
    .slice(0, MOST_SHOWN)
    .map((name) => printable(name))
    .join(", ");
}

const MOST_SHOWN = 20;
