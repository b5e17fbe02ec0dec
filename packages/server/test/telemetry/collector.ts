/** A small collector of OTLP over HTTP, on a real port: it reads what arrives, or never answers. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

type Value = { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean };
type Attribute = { key: string; value: Value };

export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
};

export type ReceivedMetric = {
  readonly name: string;
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly Point[] };
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly histogram?: { readonly dataPoints: readonly HistogramPoint[] };
};

type Point = {
  readonly asDouble?: number;
  readonly asInt?: number;
  readonly attributes: readonly Attribute[];
};
type HistogramPoint = {
  readonly count: number;
  readonly bucketCounts: readonly number[];
  readonly explicitBounds: readonly number[];
  readonly attributes: readonly Attribute[];
};

type Part = {
  readonly resource: { readonly attributes: readonly Attribute[] };
  readonly scopeSpans?: readonly { readonly spans: readonly ReceivedSpan[] }[];
  readonly scopeMetrics?: readonly { readonly metrics: readonly ReceivedMetric[] }[];
};

/** What comes in a request: spans or metrics. */
type Received = {
  readonly resourceSpans?: readonly Part[];
  readonly resourceMetrics?: readonly Part[];
};

function partsOf({ resourceSpans = [], resourceMetrics = [] }: Received): readonly Part[] {
  return [...resourceSpans, ...resourceMetrics];
}

export class Collector implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  /** Those of the last export. */
  metrics: readonly ReceivedMetric[] = [];
  readonly resources: Attribute[] = [];
  readonly authorizations = new Set<string | undefined>();
  requests = 0;
  readonly #server: Server;

  private constructor(isSilent: boolean) {
    this.#server = createServer(async (request, response) => {
      this.requests++;
      this.authorizations.add(request.headers.authorization);
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      if (isSilent) return;
      this.#read(request.url ?? "", JSON.parse(Buffer.concat(parts).toString("utf8")));
      response.setHeader("content-type", "application/json").end("{}");
    });
  }

  static async start(isSilent = false): Promise<Collector> {
    const collector = new Collector(isSilent);
    collector.#server.listen(0, "127.0.0.1");
    await once(collector.#server, "listening");
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #read(path: string, body: Received): void {
    for (const { resource, scopeSpans = [], scopeMetrics = [] } of partsOf(body)) {
      this.resources.push(...resource.attributes);
      if (path === "/v1/traces") for (const scope of scopeSpans) this.spans.push(...scope.spans);
      if (path === "/v1/metrics") this.metrics = scopeMetrics.flatMap((scope) => scope.metrics);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** Attributes as an object. */
export function plain(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
