/** How a service treats all requests, independent of the rules. */
export type ServiceSettings = {
  /**
   * Count as envoyproxy/ratelimit does: every request adds to its counters, refused or not.
   * Default: a refused request costs nothing.
   */
  readonly chargeRefused?: boolean;
  /** Decide, count and report, but admit every request. Default: no. */
  readonly shadow?: boolean;
  /**
   * Treat every descriptor as one of several quotas, any of which admits a request. Default: no.
   */
  readonly quota?: boolean;
};
