import { utilizationShedder } from "spillway/shedding";
import { guarded } from "./guarded.ts";

export const utilization = guarded(() =>
  utilizationShedder({ grace: 1000, span: 10_000, window: 500 }),
);
