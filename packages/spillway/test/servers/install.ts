import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Two workers may want it at once: the later one waits for the lock. */
const APT = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "-y"];

/**
 * Installs a Redis server; tells what kept it from doing so.
 *
 * It is the package `redis-tools` that is installed: on Debian it carries the server's program, as
 * `redis-check-rdb`, and `redis-server` adds no more than a link to it and a system service, which
 * would run from then on.
 */
export function installRedis(): Promise<string | undefined> {
  return installPackage({ name: "redis-tools" });
}

/** A package of Debian's, and what else apt-get is told when it installs it. */
export type Package = { readonly name: string; readonly options?: readonly string[] };

/** Installs a package where that takes no questions, and tells what kept it from doing so. */
export async function installPackage(wanted: Package): Promise<string | undefined> {
  const { name, options = [] } = wanted;
  if (!(await succeeds(["apt-get", "--version"]))) return "It can only be installed by apt-get.";
  const prefix = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  if (prefix.length > 0 && !(await succeeds([...prefix, "true"]))) {
    return "Installing it takes root, or sudo without a password.";
  }
  const apt = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", ...APT];
  const install = [...apt, "install", "--no-install-recommends", ...options, name];
  if (await succeeds(install)) return undefined;
  // A fresh container knows of no package until it is told to look.
  await succeeds([...apt, "update"]);
  return (await succeeds(install)) ? undefined : `"${install.join(" ")}" failed.`;
}

async function succeeds([program = "", ...args]: readonly string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}
