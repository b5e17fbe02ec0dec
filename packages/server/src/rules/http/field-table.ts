/** The fields of the `http` section. Where Envoy has a name for something, it is that one. */
import type { FieldSpec, Shape } from "../shape.ts";

export const ITEM_SHAPE = {
  what: "an item of http",
  fields: {
    match: { type: "match", about: "The requests that the item is for. Default: all" },
    actions: { type: "actions", about: "What the entries of the descriptor are, in order" },
  },
} as const satisfies Shape;

export const MATCH_SHAPE = {
  what: "match",
  fields: {
    methods: { type: "texts", about: "The methods, such as [GET, HEAD]. Default: any" },
    path: { type: "path", about: "The whole path, such as /users/{id}; {id} is any one segment" },
    prefix: { type: "path", about: "The first segments of the path, such as /api" },
    hosts: { type: "texts", about: "The hosts, such as shop.example or *.shop.example" },
  },
} as const satisfies Shape;

export const ACTIONS_SHAPE = {
  what: "an action",
  fields: {
    remote_address: { type: "anything", about: "The client's address; of IPv6 its /64" },
    masked_remote_address: { type: "anything", about: "The client's network" },
    request_headers: { type: "anything", about: "The value of a header" },
    query_parameters: { type: "anything", about: "The value of a query parameter" },
    cookies: { type: "anything", about: "The value of a cookie" },
    method: { type: "anything", about: "The method" },
    path: { type: "anything", about: "The path of match, or the first segments" },
    generic_key: { type: "anything", about: "A constant" },
    header_value_match: { type: "anything", about: "A constant, if headers match" },
    user_agent: { type: "anything", about: "The class of the User-Agent" },
    jwt_claims: { type: "anything", about: "A claim of the verified token" },
  },
} as const satisfies Shape;

export type ActionName = keyof typeof ACTIONS_SHAPE.fields;

const DESCRIPTOR_KEY = { type: "text", about: "The entry's key" } as const satisfies FieldSpec;
const SKIP = {
  type: "boolean",
  about: "Without a value, leave out the entry only. Default: the whole descriptor",
} as const satisfies FieldSpec;

/** The fields of each action. */
export const ACTION_SHAPES = {
  remote_address: { what: "remote_address", fields: {} },
  masked_remote_address: {
    what: "masked_remote_address",
    fields: {
      v4_prefix_mask_len: { type: "v4_bits", about: "Bits of IPv4: 0 to 32. Default: 32" },
      v6_prefix_mask_len: { type: "v6_bits", about: "Bits of IPv6: 32 to 64. Default: 64" },
    },
  },
  request_headers: {
    what: "request_headers",
    fields: {
      header_name: { type: "text", about: "The header" },
      descriptor_key: DESCRIPTOR_KEY,
      skip_if_absent: SKIP,
    },
  },
  query_parameters: {
    what: "query_parameters",
    fields: {
      query_parameter_name: { type: "text", about: "The parameter; the first of several counts" },
      descriptor_key: DESCRIPTOR_KEY,
      skip_if_absent: SKIP,
    },
  },
  cookies: {
    what: "cookies",
    fields: {
      cookie_name: { type: "text", about: "The cookie; the first of several counts" },
      descriptor_key: DESCRIPTOR_KEY,
      skip_if_absent: SKIP,
    },
  },
  method: { what: "method", fields: { descriptor_key: DESCRIPTOR_KEY } },
  path: {
    what: "path",
    fields: {
      segments: { type: "segments", about: "How many segments of the path: 1 to 16" },
      descriptor_key: DESCRIPTOR_KEY,
    },
  },
  generic_key: {
    what: "generic_key",
    fields: {
      descriptor_value: { type: "text", about: "The entry's value" },
      descriptor_key: { type: "text", about: "The entry's key. Default: generic_key" },
    },
  },
  header_value_match: {
    what: "header_value_match",
    fields: {
      descriptor_value: { type: "text", about: "The entry's value" },
      descriptor_key: { type: "text", about: "The entry's key. Default: header_match" },
      expect_match: { type: "boolean", about: "Whether the headers must match. Default: true" },
      headers: { type: "headers", about: "The headers, all of which must match" },
    },
  },
  user_agent: {
    what: "user_agent",
    fields: {
      classes: { type: "classes", about: "The classes; the first that fits is the value" },
      descriptor_key: { type: "text", about: "The entry's key. Default: user_agent" },
      skip_if_absent: SKIP,
    },
  },
  jwt_claims: {
    what: "jwt_claims",
    fields: {
      claim_path: { type: "texts", about: "The claim, such as [sub] or [realm, plan]" },
      provider: { type: "text", about: "The provider's name. Default: the only one of the file" },
      descriptor_key: DESCRIPTOR_KEY,
      skip_if_absent: SKIP,
      refuse_invalid: {
        type: "boolean",
        about: "Refuse a token that does not verify with 401. Default: it has no claims",
      },
    },
  },
} as const satisfies { readonly [A in ActionName]: Shape };

export const PROVIDER_SHAPE = {
  what: "an item of jwt_providers",
  fields: {
    name: { type: "text", about: "The name for jwt_claims" },
    issuer: { type: "text", about: "The iss of a token" },
    audiences: { type: "texts", about: "Texts of which one is in aud. Default: not compared" },
    jwks_uri: { type: "jwks_uri", about: "The https URL of the keys" },
    jwks_file: { type: "text", about: "The file of the keys" },
    algorithms: { type: "algorithms", about: "Default: all asymmetric ones of RFC 7518" },
    clock_skew_seconds: { type: "skew", about: "Tolerance for clocks: 0 to 300. Default: 60" },
  },
} as const satisfies Shape;

export const HEADER_SHAPE = {
  what: "an item of headers",
  fields: {
    name: { type: "text", about: "The header" },
    string_match: { type: "string_match", about: "How the value must be" },
    present_match: { type: "boolean", about: "Whether the header must be there, or must not" },
    invert_match: { type: "boolean", about: "Turns the result around" },
    treat_missing_header_as_empty: { type: "boolean", about: "Compares a missing one as empty" },
  },
} as const satisfies Shape;

export const STRING_MATCH_SHAPE = {
  what: "string_match",
  fields: {
    exact: { type: "text", about: "The value" },
    prefix: { type: "text", about: "How the value begins" },
    suffix: { type: "text", about: "How the value ends" },
    contains: { type: "text", about: "A part of the first 512 characters of the value" },
    safe_regex: { type: "safe_regex", about: "A pattern of all of those first 512 characters" },
    ignore_case: { type: "boolean", about: "Ignores the case" },
  },
} as const satisfies Shape;

export const SAFE_REGEX_SHAPE = {
  what: "safe_regex",
  fields: { regex: { type: "text", about: "The pattern, without ^ and $" } },
} as const satisfies Shape;

export const CLASS_SHAPE = {
  what: "an item of classes",
  fields: {
    name: { type: "text", about: "The class" },
    contains: { type: "texts", about: "Texts of which one is in the header, in any case" },
    safe_regex: {
      type: "safe_regex",
      about: "In place of contains: a pattern of the first 512 characters, in any case",
    },
  },
} as const satisfies Shape;

/** All shapes of the section. */
export const HTTP_SHAPES: readonly Shape[] = [
  ITEM_SHAPE,
  MATCH_SHAPE,
  ACTIONS_SHAPE,
  ...Object.values(ACTION_SHAPES),
  HEADER_SHAPE,
  STRING_MATCH_SHAPE,
  SAFE_REGEX_SHAPE,
  CLASS_SHAPE,
  PROVIDER_SHAPE,
];
