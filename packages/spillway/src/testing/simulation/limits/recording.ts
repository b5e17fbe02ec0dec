/** What became of the calls that arrived in one bucket of time: numbers of calls, but for `waited`. */
export type LimitTally = {
  /** Calls. Each is then `admitted`, `refused` or `unanswered`. */
  asked: number;
  admitted: number;
  refused: number;
  /** Calls at processes that stopped before they had answered, or while no process was there. */
  unanswered: number;
  /** Those of `refused` for which there were units, held elsewhere or too far away, that nobody used later. */
  refusedWithRoom: number;
  /** Those of `admitted` that the limit had no room for: 0, unless a limit says so of outages. */
  over: number;
  /** Calls that one store would have admitted that answers everybody at once. */
  ideal: number;
  /** Milliseconds that those who called waited for answers, all together. */
  waited: number;
};

export type LimitBucket = {
  /** Milliseconds after the simulation began. */
  readonly start: number;
  readonly tally: LimitTally;
  /** Calls of traffic that has a name, apart: they are in `tally` as well. */
  readonly named: { [name: string]: LimitTally };
  /** Calls that processes made to their own store within the bucket. */
  storeCalls: number;
  /** Calls that processes made to stores of other regions within the bucket. */
  farCalls: number;
  /** Units that processes held when the bucket ended. */
  held: number;
};

/** What happened; buckets are as long as `width`, and are there for all of `duration`. */
export type LimitRecording = {
  /** Milliseconds in which calls arrived. */
  readonly duration: number;
  /** Milliseconds that a bucket lasts. */
  readonly width: number;
  readonly buckets: readonly LimitBucket[];
};

/** Nothing counted. */
export function emptyLimitTally(): LimitTally {
  const answers = { asked: 0, admitted: 0, refused: 0, unanswered: 0 };
  return { ...answers, refusedWithRoom: 0, over: 0, ideal: 0, waited: 0 };
}

/** An empty recording. */
export function emptyRecording({
  duration,
  width,
}: Pick<LimitRecording, "duration" | "width">): LimitRecording {
  const buckets = Array.from({ length: Math.ceil(duration / width) }, (_, index) => ({
    start: index * width,
    tally: emptyLimitTally(),
    named: {},
    storeCalls: 0,
    farCalls: 0,
    held: 0,
  }));
  return { duration, width, buckets };
}

/** The bucket of an instant; undefined after the last one. */
export function bucketAt({ buckets, width }: LimitRecording, now: number): LimitBucket | undefined {
  return buckets[Math.floor(now / width)];
}

/** Where to count what becomes of a call that arrives now. */
export function talliesAt(bucket: LimitBucket, name: string | undefined): readonly LimitTally[] {
  if (name === undefined) return [bucket.tally];
  const own = bucket.named[name] ?? emptyLimitTally();
  bucket.named[name] = own;
  return [bucket.tally, own];
}
