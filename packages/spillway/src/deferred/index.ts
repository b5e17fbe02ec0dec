/**
 * Deferred work: reserves a start under a limit, queues a job, and starts it at the limit's pace.
 */

export type { StopSignal } from "../internal/index.ts";
export type {
  Job,
  JobOutcome,
  JobQueue,
  JobRecord,
  JobWorker,
  NewJob,
  TakenJob,
} from "./contracts.ts";
export { Deferred, type WorkOptions } from "./deferred.ts";
export {
  cancelAnswer,
  failureAnswer,
  type HttpAnswer,
  jobAnswer,
  submissionAnswer,
} from "./http.ts";
export type { SubmitOptions } from "./intake/check-submission.ts";
export type { Submission } from "./intake/submitter.ts";
export { jobId } from "./job-id.ts";
export type { DeferredOptions } from "./options.ts";
export type { BullmqQueueOptions } from "./queues/bullmq/contracts.ts";
export { bullmqQueue } from "./queues/bullmq/queue.ts";
export { type MemoryQueueOptions, memoryQueue } from "./queues/memory/queue.ts";
export type { PgBossQueueOptions } from "./queues/pg-boss/contracts.ts";
export { pgBossQueue } from "./queues/pg-boss/queue.ts";
export type { StartedJob } from "./starts/start-job.ts";
