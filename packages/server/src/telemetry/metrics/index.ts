/** Metrics of a service, and the functions that read them. */

export { openOn } from "./connections.ts";
export { exposition, TEXT_FORMAT } from "./exposition.ts";
export { merged, type WorkerPage } from "./merged.ts";
export { Metrics, type MetricsOptions } from "./metrics.ts";
export { metricsText } from "./metrics-text.ts";
export { METHODS } from "./requests.ts";
export type { HistogramSeries, LabelledHistogram, Labels, Sample, Series } from "./series.ts";
