/** Events between regions, for logs and metrics. */
export type RegionEvent =
  /**
   * `drawn`: units of another region were lent to this process. `expired`: such units expired
   * before they were used, or before the answer that lent them arrived.
   */
  | {
      readonly type: "drawn" | "expired";
      readonly limit: string;
      readonly region: string;
      readonly units: number;
    }
  /**
   * A region does not answer, and is asked again after some time. Reported once, until it is back.
   */
  | { readonly type: "away"; readonly region: string; readonly error: unknown }
  /** A region that was away has answered. */
  | { readonly type: "back"; readonly region: string }
  /**
   * The clocks of another region's store and of the near one differ by more than a second: `ms`,
   * above 0 if the other is ahead. Lending is not affected; windows begin at other instants there.
   */
  | { readonly type: "clocks differ"; readonly region: string; readonly ms: number };

/** Receives events. Errors that it throws, or rejects with, are ignored. */
export type OnRegionEvent = (event: RegionEvent) => unknown;
