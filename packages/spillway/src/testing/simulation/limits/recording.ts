/**
 * The results of the calls that arrived in one bucket of time. All fields but `waited` are numbers
 * of calls.
 */
export type LimitTally = {
  /** Calls that arrived. Each one is then `admitted`, `refused` or `unanswered`. */
  asked: number;
  admitted: number;
  refused: number;
  /**
   * Calls whose process stopped before it answered, and calls that arrived while no process was
   * running.
   */
  unanswered: number;
  /**
   * Refused calls whose units were available, held elsewhere or too far away, and were not used
   * later.
   */
  refusedWithRoom: number;
  /**
   * Admitted calls beyond the limit. Always 0, unless `whenUnavailable` of a limit admits calls
   * during outages.
   */
  over: number;
  /** Calls that a single store without any delay would have admitted. */
  ideal: number;
  /** The time that all calls together waited for their answers, in milliseconds. */
  waited: number;
};

export type LimitBucket = {
  /** The start of the bucket, in milliseconds after the simulation began. */
  readonly start: number;
  readonly tally: LimitTally;
  /** The calls of each traffic that has a name. They are counted in `tally` too. */
  readonly named: { [name: string]: LimitTally };
  /** Commands that processes sent to the store of their own region within the bucket. */
  storeCalls: number;
  /** Commands that processes sent to stores of other regions within the bucket. */
  farCalls: number;
  /** Units that all processes held at the end of the bucket. */
  held: number;
};

/**
 * The recording of a simulation. Each bucket lasts `width`; together they cover all of `duration`.
 */
export type LimitRecording = {
  /** The time in which calls arrived, in milliseconds. */
  readonly duration: number;
  /** The length of a bucket, in milliseconds. */
  readonly width: number;
  readonly buckets: readonly LimitBucket[];
};

/** Returns a tally of zeros. */
export function emptyLimitTally(): LimitTally {
  const answers = { asked: 0, admitted: 0, refused: 0, unanswered: 0 };
  return { ...answers, refusedWithRoom: 0, over: 0, ideal: 0, waited: 0 };
}

/** Returns a recording with empty buckets. */
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

/** Returns the bucket of an instant; undefined after the last one. */
export function bucketAt({ buckets, width }: LimitRecording, now: number): LimitBucket | undefined {
  return buckets[Math.floor(now / width)];
}

/**
 * Returns the tallies for a call that arrives in a bucket: the common one, and that of its
 * traffic's name.
 */
export function talliesAt(bucket: LimitBucket, name: string | undefined): readonly LimitTally[] {
  if (name === undefined) return [bucket.tally];
  const own = bucket.named[name] ?? emptyLimitTally();
  bucket.named[name] = own;
  return [bucket.tally, own];
}
