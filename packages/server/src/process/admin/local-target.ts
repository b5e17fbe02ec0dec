import { systemClock } from "spillway/core";
import { type AdminTarget, executeCall, type Service } from "../../service/index.ts";
import type { KeySketch } from "../../telemetry/index.ts";

/** The service of this process, and the counts of its keys. */
export type AdminParts = {
  readonly service: Service;
  /** Counts keys; undefined if no administration listener is wanted. */
  readonly keys: KeySketch | undefined;
};

const NO_KEYS = { period: 0, asks: 0, keys: [], leastCount: 0 } as const;

/** Returns the target of a service that is this process alone. */
export function localTarget({ service, keys }: AdminParts): AdminTarget {
  return {
    rules: () => service.rules,
    settings: service.settings,
    execute: (call) => executeCall(service, call),
    setModes: async (switches) => service.setModes(switches),
    topKeys: async () => keys?.counts(systemClock()) ?? NO_KEYS,
  };
}
