/** Series of numbers, whoever reads them: Prometheus, or a collector of OpenTelemetry. */

export type Labels = Readonly<Record<string, string>>;

/** A number at one instant, for one set of labels. */
export type Sample = { readonly labels: Labels; readonly value: number };

/** How often each bucket was met, for one set of labels. */
export type Distribution = {
  readonly labels: Labels;
  /** One for each bound, and one for all that is above the last; not cumulative. */
  readonly counts: readonly number[];
  readonly sum: number;
};

type Described = {
  /** As Prometheus has it: with its unit, and `_total` for counters. */
  readonly name: string;
  readonly help: string;
};

/** Numbers that only grow, until the process ends. */
export type CounterSeries = Described & {
  readonly type: "counter";
  readonly read: () => Iterable<Sample>;
};

export type GaugeSeries = Described & {
  readonly type: "gauge";
  readonly read: () => Iterable<Sample>;
};

export type HistogramSeries = Described & {
  readonly type: "histogram";
  /** Upper bounds of buckets, rising. */
  readonly bounds: readonly number[];
  readonly read: () => Iterable<Distribution>;
};

export type Series = CounterSeries | GaugeSeries | HistogramSeries;

/** A gauge or a counter without labels. */
export function single<T extends "counter" | "gauge">(
  type: T,
  { name, help }: Described,
  value: () => number | undefined,
) {
  const read = (): Sample[] => {
    const found = value();
    return found === undefined ? [] : [{ labels: {}, value: found }];
  };
  return { type, name, help, read };
}
