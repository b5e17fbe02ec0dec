import type { Scheduler } from "../limits/core/index.ts";
import { queueFailed } from "./problems.ts";

export type InTime = {
  readonly what: string;
  readonly deadline: number;
  readonly scheduler: Scheduler;
};

/** A queue whose store is away must not hold up who asks. @throws SpillwayError `queue-failed` */
export async function inTime<T>(
  promise: Promise<T>,
  { what, deadline, scheduler }: InTime,
): Promise<T> {
  let callOff = () => {};
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`no answer within ${deadline} ms`);
    callOff = scheduler.alarm(deadline, () => reject(error));
  });
  try {
    return await Promise.race([promise, late]);
  } catch (error) {
    throw queueFailed(what, error);
  } finally {
    callOff();
  }
}
