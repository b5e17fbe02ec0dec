/** Converts the service's series to the form that OpenTelemetry's SDK exports. */
import { type HrTime, ValueType } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import { type Clock, SECOND, systemClock } from "spillway/core";
import type { HistogramSeries, LabelledHistogram, Series } from "../metrics/index.ts";

/** Creates the reader of series that each export calls. The numbers are those of `/metrics`. */
export function seriesProducer(
  series: () => readonly Series[],
  clock: Clock = systemClock,
): Pick<MetricProducer, "collect"> {
  const startTime = hrTime(clock());
  return {
    async collect() {
      const span = { startTime, endTime: hrTime(clock()) };
      const metrics = series().map((one) => metricData(one, span));
      const filled = metrics.filter(({ dataPoints }) => dataPoints.length > 0);
      const scopeMetrics = [{ scope: { name: "spillway" }, metrics: filled }];
      // The provider fills in the resource.
      return { resourceMetrics: { resource: undefined as never, scopeMetrics }, errors: [] };
    },
  };
}

type PointInterval = Pick<DataPoint<number>, "startTime" | "endTime">;

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / SECOND), (ms % SECOND) * 1e6];
}

function metricData(series: Series, span: PointInterval): MetricData {
  const { name, help } = series;
  const unit = name.endsWith("_seconds") ? "s" : name.endsWith("_bytes") ? "By" : "";
  const base = {
    descriptor: { name, description: help, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (series.type === "histogram") {
    const dataPoints = histogramPoints(series, span);
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = [...series.read()].map(({ labels, value }) => {
    return { ...span, attributes: { ...labels }, value };
  });
  return series.type === "counter"
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

function histogramPoints(
  { bounds, read }: HistogramSeries,
  span: PointInterval,
): DataPoint<Histogram>[] {
  return [...read()].map(({ labels, counts, sum }: LabelledHistogram) => ({
    ...span,
    attributes: { ...labels },
    value: {
      buckets: { boundaries: [...bounds], counts: [...counts] },
      count: counts.reduce((all, one) => all + one, 0),
      sum,
    },
  }));
}
