/** How a service treats all requests, whatever rules they meet. */
export type Settings = {
  /**
   * Count as envoyproxy/ratelimit does: every request adds to its counters, refused or not.
   * Default: a refused request costs nothing.
   */
  readonly chargeRefused?: boolean;
  /** Decide, count and say so, and let every request pass. Default: no. */
  readonly shadow?: boolean;
  /** Take every descriptor for one of several quotas, of which any lets a request pass. */
  readonly quota?: boolean;
};
