/** Additions to the decisions in answers to Envoy. */
export type EnvoyOptions = {
  /** The names of the headers that a gateway is to add to its response. Default: none. */
  readonly responseHeaders?: HeaderNames | undefined;
  /**
   * Whether answers contain the request and the `metadata` of the rules that admitted it. Default:
   * no.
   */
  readonly dynamicMetadata?: boolean | undefined;
};

export type HeaderNames = {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
};

/** The names that envoyproxy/ratelimit uses. */
export const HEADER_NAMES: HeaderNames = {
  limit: "RateLimit-Limit",
  remaining: "RateLimit-Remaining",
  reset: "RateLimit-Reset",
};
