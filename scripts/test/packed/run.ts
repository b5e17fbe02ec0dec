import { type SpawnSyncOptions, spawnSync } from "node:child_process";

/** What has come of a program. */
export type Outcome = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs a program to its end; after three minutes it counts as hanging, and is ended. */
export function run(
  program: string,
  args: readonly string[],
  options: SpawnSyncOptions = {},
): Outcome {
  const all = { ...options, encoding: "utf8", timeout: 180_000 } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, all);
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}
