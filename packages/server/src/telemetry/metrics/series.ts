/** Series of numbers, read by Prometheus or by a collector of OpenTelemetry. */
import { COUNTERS, GAUGES, HISTOGRAMS } from "./catalogue.ts";

export type Labels = Readonly<Record<string, string>>;

/** A number at one instant, for one set of labels. */
export type Sample = { readonly labels: Labels; readonly value: number };

/** The number of observations in each bucket, for one set of labels. */
export type LabelledHistogram = {
  readonly labels: Labels;
  /** One for each bound, and one for values above the last. They are not cumulative. */
  readonly counts: readonly number[];
  readonly sum: number;
};

type Described = {
  /** The name in Prometheus' style: with its unit, and `_total` for counters. */
  readonly name: string;
  readonly help: string;
};

type ReadSamples = () => Iterable<Sample>;

/** Numbers that only grow until the process ends. */
export type CounterSeries = Described & {
  readonly type: "counter";
  readonly read: ReadSamples;
};

export type GaugeSeries = Described & {
  readonly type: "gauge";
  readonly read: ReadSamples;
};

export type HistogramSeries = Described & {
  readonly type: "histogram";
  /** Upper bounds of buckets, in ascending order. */
  readonly bounds: readonly number[];
  readonly read: () => Iterable<LabelledHistogram>;
};

export type Series = CounterSeries | GaugeSeries | HistogramSeries;

export function counter(name: keyof typeof COUNTERS, read: ReadSamples): CounterSeries {
  return { type: "counter", name, help: COUNTERS[name], read };
}

export function gauge(name: keyof typeof GAUGES, read: ReadSamples): GaugeSeries {
  return { type: "gauge", name, help: GAUGES[name], read };
}

type HistogramSource = Pick<HistogramSeries, "bounds" | "read">;

export function histogram(
  name: keyof typeof HISTOGRAMS,
  measured: HistogramSource,
): HistogramSeries {
  return { type: "histogram", name, help: HISTOGRAMS[name], ...measured };
}

/** Reads one number without labels; no sample if it is undefined. */
export function alone(value: () => number | undefined): ReadSamples {
  return () => {
    const found = value();
    return found === undefined ? [] : [{ labels: {}, value: found }];
  };
}
