import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { installPostgres } from "./install.ts";
import { run } from "./run.ts";

const VARIABLE = "SPILLWAY_POSTGRES_BIN";
/** What tests run of it. */
const PROGRAMS = ["postgres", "initdb", "pg_basebackup"];
/** Where Debian has them, by their version, and not in the path. */
const DEBIAN = "/usr/lib/postgresql";

/** The folder of PostgreSQL's programs, and their version. */
export type Binaries = { readonly folder: string; readonly major: number };

let found: Promise<Binaries> | undefined;

/** The programs to run: the environment's, those in the path, or such as are installed for it. */
export function postgresBinaries(): Promise<Binaries> {
  found ??= findOrInstall();
  return found;
}

async function findOrInstall(): Promise<Binaries> {
  const wanted = process.env[VARIABLE];
  if (wanted !== undefined && wanted !== "") return binariesIn(wanted);
  const present = installed();
  if (present !== undefined) return binariesIn(present);
  const obstacle = await installPostgres();
  const now = installed();
  if (now !== undefined) return binariesIn(now);
  throw new Error(
    `These tests start PostgreSQL, and it is neither in the path nor in ${DEBIAN}. ` +
      `${obstacle ?? "Installing it changed nothing."} Install it ("apt-get install postgresql", ` +
      `"brew install postgresql"), or name the folder of its programs in ${VARIABLE}.`,
  );
}

/** The first folder that has them all. */
function installed(): string | undefined {
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...path, ...debians()].find((folder) =>
    PROGRAMS.every((name) => isExecutable(join(folder, name))),
  );
}

/** The newest version first. */
function debians(): string[] {
  if (!existsSync(DEBIAN)) return [];
  const versions = readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one));
  return versions.map((version) => join(DEBIAN, version, "bin"));
}

/** Whether it is a program that one may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `postgres` prints "postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)", or "… 18beta1". */
async function binariesIn(folder: string): Promise<Binaries> {
  const path = join(folder, "postgres");
  const said = await run({ path, args: ["--version"], directory: tmpdir() }).catch(String);
  const version = /^postgres \(PostgreSQL\) (\d+)/.exec(said);
  if (version !== null) return { folder, major: Number(version[1]) };
  throw new Error(
    `${path} does not print the version of a PostgreSQL server, but "${said.trim()}". ` +
      `Name a folder in ${VARIABLE} whose programs can be run by anybody.`,
  );
}
