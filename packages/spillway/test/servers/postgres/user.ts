import { execFileSync } from "node:child_process";

/** Nothing belongs to it: whoever gets into a test's server, which lets everybody in, gets no further. */
const UNPRIVILEGED = "nobody";

/** As whom to run a program; as oneself where it says nothing. */
export type User = { readonly uid?: number; readonly gid?: number };

/** Whom Postgres runs as. It refuses to run as root, which is who runs the tests in a container. */
export function postgresUser(): User {
  if (process.getuid?.() !== 0) return {};
  return { uid: unprivilegedId("-u"), gid: unprivilegedId("-g") };
}

function unprivilegedId(which: "-u" | "-g"): number {
  return Number(execFileSync("id", [which, UNPRIVILEGED], { encoding: "utf8" }));
}
