import type { StoreWithin, Timing } from "../../limits/core/index.ts";
import type { Executor } from "../port/executor.ts";
import { direct } from "./direct.ts";
import type { OptionalRegister } from "./resilient-register.ts";

/** The members that a store has only if its executor has them. */
export abstract class OptionalMembers<M extends Timing> {
  readonly overrides?: true;
  readonly register?: NonNullable<OptionalRegister<M>>;
  readonly within?: (transaction: object) => StoreWithin<M>;

  constructor(executor: Executor<M>, register: OptionalRegister<M>) {
    if (executor.overrides) this.overrides = executor.overrides;
    if (register !== undefined) this.register = register;
    if (executor.within !== undefined) this.within = (transaction) => direct(executor, transaction);
  }
}
