import { abilities } from "../../internal/index.ts";
import type { StoreWithin, Timing } from "../../limits/core/index.ts";
import type { Executor } from "../port/executor.ts";
import { direct } from "./direct.ts";
import type { OptionalRegister } from "./resilient-register.ts";

/** The members that a store has only if its executor has them. */
export abstract class OptionalMembers<M extends Timing> {
  readonly register?: NonNullable<OptionalRegister<M>>;
  readonly within?: (transaction: object) => StoreWithin<M>;

  constructor(executor: Executor<M>, register: OptionalRegister<M>) {
    Object.assign(this, abilities(executor));
    if (register !== undefined) this.register = register;
    if (executor.within !== undefined) this.within = (transaction) => direct(executor, transaction);
  }
}
