/** Finds the descriptors of the HTTP request that options describe. */
import { printable } from "spillway/support";
import {
  type DescriptorEntry,
  type HttpItem,
  type ItemDescriptor,
  type NormalRequest,
  type Rules,
  whyNot,
} from "../rules/index.ts";
import { classifier, RequestError } from "../service/index.ts";
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
export async function classifiedQuery(
  { http }: Rules,
  line: RequestLine,
  { domain: named, ...options }: RequestOptions & { readonly domain?: string },
): Promise<ClassifiedQuery> {
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
  const { found, refusal, tokens } = await classified(items, request);
  if (refusal !== undefined) {
    const heading = [`Request ${asked} is refused: ${refusal}`, ...tokens].join("\n");
    return { heading, query: undefined };
  }
  const none = found.length === 0 ? ": no descriptor, so no limit" : "";
  const read = `Request ${asked}, whose path is read as ${printable(request.path)}${none}`;
  const others = items.filter((one) => !found.some(({ item }) => item === one));
  return {
    heading: [read, ...tokens, ...othersOf(others, request)].join("\n"),
    query: {
      domain,
      descriptor: found.map(({ entries }) => entries),
      places: found.map(({ item }) => `  (${placeOf(item)})`),
    },
  };
}

/** The descriptors, or why the request is refused; and a line for each verified token. */
type ExplainedItems = {
  readonly found: readonly ItemDescriptor[];
  readonly refusal: string | undefined;
  readonly tokens: readonly string[];
};

async function classified(
  items: readonly HttpItem[],
  request: NormalRequest,
): Promise<ExplainedItems> {
  const tokens: string[] = [];
  const classify = classifier({
    onToken: ({ provider, why = "it is valid" }) => {
      tokens.push(`The token, by ${printable(provider)}: ${printable(why)}`);
    },
  });
  try {
    return { found: await classify(items, request), refusal: undefined, tokens };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { found: [], refusal: printable(error.message), tokens };
  }
}

/** Returns a line for each item that makes no descriptor. */
function othersOf(items: readonly HttpItem[], request: NormalRequest): readonly string[] {
  const more = items.length - MOST_SHOWN;
  return [
    ...items
      .slice(0, MOST_SHOWN)
      .map((item) => `  not ${placeOf(item)}: ${printable(whyNot(item, request))}`),
    ...(more > 0 ? [`  nor ${more} more`] : []),
  ];
}

function placeOf({ place: { file, line } }: HttpItem): string {
  return `${printable(file)}:${line}`;
}

function listed(names: Iterable<string>): string {
  return [...names]
    .slice(0, MOST_SHOWN)
    .map((name) => printable(name))
    .join(", ");
}

const MOST_SHOWN = 20;
