import { adaptiveShedder } from "spillway/shedding";
import type { Contender } from "./contender.ts";

export const adaptive: Contender = { makeShedder: () => adaptiveShedder() };
