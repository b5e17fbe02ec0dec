import type { Group, Progress } from "../suites/suite.ts";

/** One part of the suite `scale`: some groups of rows, each with a control or a peer. */
export type Part = {
  /** What `--only` takes. */
  readonly name: string;
  measure(progress: Progress): Promise<readonly Group[]>;
};
