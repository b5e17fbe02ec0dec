/** What servers have seen and callers have got, as shares; of virtual time and of real time alike. */
/** A request as a server has seen it. */
export type Seen = { readonly at: number; readonly status: number; readonly url: URL };
/** A request as its caller has: `took` until its answer. */
export type Call = { readonly at: number; readonly url: string; status: number; took: number };

/** Shares in percent of a time: what of the rate was served, what of all that was sent was refused. */
export function sharesOf(
  { seen }: { readonly seen: readonly Seen[] },
  span: Span & { readonly rate: number },
) {
  const list = seen.filter(({ at }) => at >= span.from && at < span.to);
  const served = list.filter(({ status }) => status === 200).length;
  const refused = list.filter(({ status }) => status === 429 || status === 503).length;
  return {
    used: (100 * served * 1000) / (span.rate * (span.to - span.from)),
    refused: (100 * refused) / Math.max(1, list.length),
    sent: list.length,
  };
}

export type Span = { readonly from: number; readonly to: number };

/** Of the calls that were begun in a time: the percentage served within `within`, and the median of these. */
export function servedOf(
  calls: readonly Call[],
  { from, to, within = Number.POSITIVE_INFINITY }: Span & { readonly within?: number },
) {
  const list = calls.filter(({ at }) => at >= from && at < to);
  const served = list.filter(({ status, took }) => status === 200 && took <= within);
  const sorted = served.map(({ took }) => took).sort((one, other) => one - other);
  return {
    served: (100 * served.length) / Math.max(1, list.length),
    p50: sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY,
  };
}
