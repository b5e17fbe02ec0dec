/** Additions to decisions in answers to Envoy. */
export type EnvoyOptions = {
  /** The names of the headers that a gateway is to add to its response. Default: none are added. */
  readonly responseHeaders?: HeaderNames | undefined;
  /** Whether answers carry the `metadata` of the rules that passed, and the request. Default: no. */
  readonly dynamicMetadata?: boolean | undefined;
};

export type HeaderNames = {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
};

/** As envoyproxy/ratelimit calls them. */
export const HEADER_NAMES: HeaderNames = {
  limit: "RateLimit-Limit",
  remaining: "RateLimit-Remaining",
  reset: "RateLimit-Reset",
};
