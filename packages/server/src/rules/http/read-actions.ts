/** Reads `actions`: what the entries of an item's descriptor are. */
import { isMap, isSeq, type Node } from "yaml";
import { fieldValue, type RuleFields, readFields } from "../fields.ts";
import { readBoolean, readList, readText, readUnits } from "../scalars.ts";
import type { RuleSource } from "../source.ts";
import { ACTION_SHAPES, ACTIONS_SHAPE, type ActionName } from "./field-table.ts";
import type { HttpAction, HttpMatch, NamedPart } from "./items.ts";
import { readClasses } from "./read-classes.ts";
import { readHeaderMatches } from "./read-header-match.ts";
import { readJwtClaims } from "./read-jwt-claims.ts";
import { COOKIE_NAME, HEADER_NAME, readName } from "./read-name.ts";
import type { Providers } from "./read-providers.ts";
import { readRequired } from "./read-required.ts";

/** The item that contains the actions. */
type ItemContext = Pick<ActionContext, "match" | "providers"> & { readonly item: Node };

/** The maximum number of entries of a descriptor. */
const MOST_ACTIONS = 64;

const ONE = `one of ${Object.keys(ACTIONS_SHAPE.fields).join(", ")}`;

/** Reads the actions of an item. An item without any is reported. */
export function readActions(
  source: RuleSource,
  fields: RuleFields,
  { item, ...context }: ItemContext,
): readonly HttpAction[] {
  const nodes = readList(source, fields, "actions");
  const place = fields.get("actions")?.name ?? item;
  const hasOther =
    fieldValue(fields, "actions") !== undefined && !isSeq(fields.get("actions")?.value);
  if ((nodes.length === 0 && !hasOther) || nodes.length > MOST_ACTIONS) {
    const found = nodes.length === 0 ? "no actions" : `${nodes.length} actions`;
    const expected = `1 to ${MOST_ACTIONS} actions, such as [{ remote_address: {} }]`;
    source.complain(place, { code: "bad-action", found, expected });
  }
  return Object.freeze(nodes.flatMap((node) => readAction(source, node, context) ?? []));
}

function readAction(
  source: RuleSource,
  node: Node,
  context: Omit<ActionContext, "place">,
): HttpAction | undefined {
  const named = readFields(source, node, ACTIONS_SHAPE);
  if (named === undefined) return undefined;
  const [name, second] = [...named.keys()] as ActionName[];
  if (name === undefined || second !== undefined) {
    const found = name === undefined ? "no action" : `${name} and ${second} in one item`;
    const map = source.resolve(node);
    // Otherwise an unknown name has been reported.
    const isReported = name === undefined && isMap(map) && map.items.length > 0;
    if (!isReported) source.complain(node, { code: "bad-action", found, expected: ONE });
    return undefined;
  }
  const place = named.get(name)?.name ?? node;
  const fields = readFields(source, named.get(name)?.value ?? null, ACTION_SHAPES[name]);
  if (fields === undefined) return undefined;
  const key = keyOf(source, fields, { name, place });
  const action = READERS[name](source, fields, { place, ...context });
  if (key === undefined || action === undefined) return undefined;
  return Object.freeze({ key, ...action } as HttpAction);
}

/** The keys of entries whose actions have no name of their own. */
const KEYS: { readonly [A in ActionName]?: string } = {
  remote_address: "remote_address",
  masked_remote_address: "masked_remote_address",
  method: "method",
  path: "path",
  generic_key: "generic_key",
  header_value_match: "header_match",
  user_agent: "user_agent",
};

type ActionPlace = { readonly name: ActionName; readonly place: Node };

function keyOf(
  source: RuleSource,
  fields: RuleFields,
  { name, place }: ActionPlace,
): string | undefined {
  if ("descriptor_key" in ACTION_SHAPES[name].fields) {
    const key = readText(source, fields, "descriptor_key");
    if (key) return key;
  }
  return KEYS[name] ?? readRequired(source, fields, { name: "descriptor_key", place });
}

export type ActionContext = {
  readonly place: Node;
  readonly match: HttpMatch;
  readonly providers: Providers;
};

/** Reads the fields of one action; undefined if they are wrong, which is reported. */
type ActionReader = (
  source: RuleSource,
  fields: RuleFields,
  context: ActionContext,
) => object | undefined;

const READERS: { readonly [A in ActionName]: ActionReader } = {
  remote_address: () => ({ type: "remote_address" }),
  masked_remote_address: (source, fields) => {
    const v4 = readUnits(source, fields, V4_BITS);
    const v6 = readUnits(source, fields, V6_BITS);
    if (v4 === undefined || v6 === undefined) return undefined;
    return { type: "masked_remote_address", v4, v6 };
  },
  request_headers: namedPart("request_headers", "header_name"),
  query_parameters: namedPart("query_parameters", "query_parameter_name"),
  cookies: namedPart("cookies", "cookie_name"),
  method: () => ({ type: "method" }),
  path: readPath,
  generic_key: (source, fields, { place }) => {
    const value = readRequired(source, fields, { name: "descriptor_value", place });
    return value === undefined ? undefined : { type: "generic_key", value };
  },
  header_value_match: (source, fields, { place }) => {
    const value = readRequired(source, fields, { name: "descriptor_value", place });
    const headers = readHeaderMatches(source, fields, place);
    const isExpected =
      fieldValue(fields, "expect_match") === undefined ||
      readBoolean(source, fields, "expect_match");
    if (value === undefined || headers === undefined) return undefined;
    return { type: "header_value_match", value, isExpected, headers };
  },
  user_agent: (source, fields, { place }) => {
    const classes = readClasses(source, fields, place);
    const isSkipped = readBoolean(source, fields, "skip_if_absent");
    return classes && { type: "user_agent", classes, isSkipped };
  },
  jwt_claims: readJwtClaims,
};

const V4_BITS = {
  name: "v4_prefix_mask_len",
  code: "bad-action",
  otherwise: 32,
  most: 32,
  ifMore: "An IPv4 address has 32 bits",
} as const;

const V6_BITS = {
  name: "v6_prefix_mask_len",
  code: "bad-action",
  otherwise: 64,
  least: 32,
  most: 64,
  ifMore: "One client mostly has a /64, and can use any address in it",
} as const;

const SEGMENTS = {
  name: "segments",
  code: "bad-action",
  otherwise: 0,
  least: 1,
  most: 16,
  ifMore: "To limit one path, write it as path in match",
} as const;

/** Which names exist at all, by what has them. */
const NAMES = {
  request_headers: HEADER_NAME,
  cookies: COOKIE_NAME,
  query_parameters: undefined,
} as const satisfies { readonly [P in NamedPart]: unknown };

function namedPart(type: NamedPart, field: string): ActionReader {
  return (source, fields, { place }) => {
    const written = readName(source, fields, { name: field, place, ...NAMES[type] });
    const isSkipped = readBoolean(source, fields, "skip_if_absent");
    if (written === undefined) return undefined;
    const name = type === "request_headers" ? written.toLowerCase() : written;
    return { type, name, isSkipped };
  };
}

/** Without a number of segments, the value is the path of `match`. */
function readPath(
  source: RuleSource,
  fields: RuleFields,
  { place, match: { path, prefix } }: ActionContext,
): object | undefined {
  const segments = readUnits(source, fields, SEGMENTS);
  if (segments === undefined) return undefined;
  const text = segments > 0 ? undefined : (path ?? prefix)?.text;
  if (segments > 0 || text !== undefined) return { type: "path", text, segments };
  const expected = "a path or a prefix in match, or a number of segments, such as 2";
  source.complain(place, { code: "bad-action", found: "path without either", expected });
  return undefined;
}
