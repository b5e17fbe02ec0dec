import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { postgresUser } from "./user.ts";

const promised = promisify(execFile);

/**
 * What Postgres' programs see of the environment: no variable of somebody's own server (`PGHOST`,
 * `PGOPTIONS`), and what makes them say the same on every machine.
 */
export const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };

export type Command = {
  readonly path: string;
  readonly args: readonly string[];
  /** One that the server's user can reach, as the tests' own may not be. */
  readonly directory: string;
};

/** Runs a program to its end as the server's user, and gives what it printed. */
export async function run({ path, args, directory }: Command): Promise<string> {
  const options = { ...postgresUser(), env: ENVIRONMENT, cwd: directory };
  const { stdout } = await promised(path, args, options);
  return stdout;
}
