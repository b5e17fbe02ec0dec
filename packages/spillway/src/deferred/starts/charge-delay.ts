import type { Scheduler } from "../../limits/core/index.ts";
import type { TakenJob } from "../contracts.ts";
import type { JobPacer } from "../pace/job-pacer.ts";

/** Milliseconds that the gate is charged more than has passed, at most, for its answer takes time as well. */
const MARGIN = 5;

/**
 * Charges the gate with what has passed since it let the job pass, so that the next one is as much later.
 *
 * @param passed When it let it pass, by the scheduler's clock.
 * @returns The milliseconds that are charged; undefined where it took so long that the next one may have passed meanwhile.
 */
export async function chargeDelay(
  job: TakenJob,
  passed: number,
  { pace, scheduler }: { readonly pace: JobPacer; readonly scheduler: Pick<Scheduler, "elapsed"> },
): Promise<number | undefined> {
  let charged = 0;
  for (;;) {
    const delay = scheduler.elapsed() - passed;
    if (delay > pace.spacing / 2) return undefined;
    if (delay <= charged) return charged;
    const due = delay + Math.min(MARGIN, delay / 2) - charged;
    charged += await pace.began(job, { late: due });
  }
}
