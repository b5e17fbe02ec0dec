/** The shedder of a proxy, with its metrics and its log lines. */
import type { Clock } from "spillway/core";
import type { ShedderEvent } from "spillway/shedding";
import { printable } from "spillway/support";
import { type Metrics, type ServiceLogger, ThrottledLog } from "../../telemetry/index.ts";
import type { ProxyShedding } from "../../transports/proxy/index.ts";
import type { ProxyServeOptions } from "../options/index.ts";

type SheddingContext = ProxyServeOptions & {
  readonly metrics: Metrics;
  readonly log: ServiceLogger;
};

/** Creates it; undefined if nothing is to be shed. Its modules are loaded only if something is. */
export async function proxyShedding(options: SheddingContext): Promise<ProxyShedding | undefined> {
  const { shed, shadow = false, priority = [], deadlineHeader, metrics, log } = options;
  if (shed === "off") return undefined;
  const { adaptiveShedder } = await import("spillway/shedding");
  const logged = sheddingLog(log);
  const connections = options.upstreamConnections * options.to.length;
  const streams = { count: 0 };
  const shedder = adaptiveShedder({
    name: "proxy",
    shadow: shadow || shed === "shadow",
    // What the servers have no connection for would not wait, but fail.
    most: Math.min(connections, MOST_IN_FLIGHT),
    mostWithHeld: () => Math.max(0, connections - streams.count),
    onEvent: (event) => {
      metrics.shedding.note(event);
      logged(event);
    },
  });
  metrics.shedding.of(() => shedder.stats());
  return { shedder, priorities: priority, deadlineHeader, streams };
}

/** The most that a shedder can have in flight. */
const MOST_IN_FLIGHT = 1_000_000;

type SheddingLogOptions = Pick<ServiceLogger, "warn" | "info"> & { readonly clock?: Clock };

/** Says when an overload begins, at most once a minute, and when that one has ended. */
export function sheddingLog({ warn, info, clock }: SheddingLogOptions) {
  const throttled = new ThrottledLog({ warn, clock });
  let isSaid = false;
  return (event: ShedderEvent): void => {
    if (event.type === "overloaded") isSaid ||= throttled.say(OVERLOADED);
    else if (event.type === "recovered" && isSaid) {
      isSaid = false;
      info("the servers are no longer overloaded");
    } else if ("error" in event) warn(`the shedder ignores a value: ${shown(event)}`);
  };
}

function shown({ error }: { readonly error: Error }): string {
  return printable(error.message);
}

const OVERLOADED = {
  sort: "overloaded",
  message: "the servers are overloaded: the least important requests get 503; see --priority",
};
