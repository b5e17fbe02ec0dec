import type { Scheduler } from "../../limits/core/index.ts";
import type { TakenJob } from "../contracts.ts";
import type { JobPacer } from "../pace/job-pacer.ts";

/**
 * The longest time that the gate is charged in advance, in milliseconds, because its answer takes
 * time too.
 */
const MARGIN = 5;

/**
 * Charges the gate for the time since it admitted a job, so that the next job starts that much
 * later.
 *
 * @param passed When the gate admitted the job, in milliseconds by the scheduler's clock.
 * @returns The milliseconds charged; undefined if it took so long that the next job may have been
 * admitted.
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
