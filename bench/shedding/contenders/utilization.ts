import { utilizationShedder } from "spillway/shedding";
import type { Contender } from "./contender.ts";

export const utilization: Contender = {
  makeShedder: () => utilizationShedder({ grace: 1000, span: 10_000, window: 500 }),
};
