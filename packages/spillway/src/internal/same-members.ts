import type { StoreWithin, Timing } from "../limits/core/index.ts";
import { abilities } from "./abilities.ts";

/**
 * Returns the members that a wrapper of a store passes on unchanged. The wrapper adds how commands
 * are carried out, and `within`, whose stores it wraps too.
 */
export function sameMembers<M extends Timing>(
  store: StoreWithin<M>,
): Omit<StoreWithin<M>, "execute" | "limit" | "within"> {
  const { timing, isOwn, register, isOver, observe, lending } = store;
  return {
    timing,
    ...(isOwn && { isOwn }),
    ...abilities(store),
    ...(lending && { lending }),
    ...(register && { register: register.bind(store) }),
    ...(isOver && { isOver: isOver.bind(store) }),
    ...(observe && { observe: observe.bind(store) }),
  };
}
