import { adaptiveShedder } from "spillway/shedding";
import { guarded } from "./guarded.ts";

export const adaptive = guarded(() => adaptiveShedder());
