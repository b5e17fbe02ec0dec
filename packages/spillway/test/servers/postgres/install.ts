import { installPackage } from "../install.ts";

/** Where Debian's package reads whether to make a server of its own, which would run from then on. */
const POLICIES = "/etc/postgresql-common/createcluster.d";
const POLICY = `${POLICIES}/spillway.conf`;

/**
 * Installs PostgreSQL's programs, and no server that would run; tells what kept it from doing so.
 *
 * The policy is there only while apt-get is: who installs another version later gets what they expect.
 */
export function installPostgres(): Promise<string | undefined> {
  const before = `mkdir -p ${POLICIES} && echo create_main_cluster=false > ${POLICY}`;
  const hooks = [`DPkg::Pre-Invoke::=${before};`, `DPkg::Post-Invoke::=rm -f ${POLICY};`];
  return installPackage({ name: "postgresql", options: hooks.flatMap((hook) => ["-o", hook]) });
}
