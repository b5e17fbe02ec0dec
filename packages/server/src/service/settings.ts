/** How a service treats all requests, independent of the rules. */
export type ServiceSettings = {
  /**
   * Whether to count as envoyproxy/ratelimit does: every request adds to its counters, refused or
   * not. Default: no, a refused request costs nothing.
   */
  readonly chargeRefused?: boolean;
  /** Whether to decide, count and report, but admit every request. Default: no. */
  readonly shadow?: boolean;
  /**
   * Whether every descriptor is one of several quotas, any of which admits a request. Default: no.
   */
  readonly quota?: boolean;
};
