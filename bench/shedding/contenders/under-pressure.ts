import plugin from "@fastify/under-pressure";
import type { Contender } from "./contender.ts";

/**
 * The utilization is its README's; a delay of 1000 ms, as there, would be the clients' whole deadline.
 * Utilization counts from one look to the next: by default it counts from the start of the process,
 * where minutes of overload hardly show after a quiet hour.
 */
const OPTIONS = {
  maxEventLoopUtilization: 0.98,
  eventLoopUtilizationMode: "interval",
  maxEventLoopDelay: 100,
} as const;

export const underPressure: Contender = { guard: (scope) => scope.register(plugin, OPTIONS) };
