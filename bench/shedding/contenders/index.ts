import type { Contender } from "./contender.ts";

/** Each by its name; the first is what the others are compared with. Loaded only in its server. */
const CONTENDERS: Readonly<Record<string, () => Promise<Contender>>> = {
  "spillway adaptive": async () => (await import("./adaptive.ts")).adaptive,
  "spillway utilization": async () => (await import("./utilization.ts")).utilization,
  "@fastify/under-pressure": async () => (await import("./under-pressure.ts")).underPressure,
  none: async () => (await import("./none.ts")).none,
  "none on Fastify": async () => (await import("./none.ts")).noneOnFastify,
};

/** @throws Error where nobody has that name */
export async function load(name: string): Promise<Contender> {
  const contender = await CONTENDERS[name]?.();
  if (contender === undefined) throw new Error(`no contender is called ${JSON.stringify(name)}`);
  return contender;
}
