import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installRedis } from "./install.ts";

const VARIABLE = "SPILLWAY_REDIS_SERVER";
/** `redis-check-rdb` is the server itself under another name; which of the two it is, its `argv0` says. */
const NAMES = ["redis-server", "valkey-server", "redis-check-rdb"];

/** What every server is started as, so that whatever file it is in, it serves. */
export const SERVER_NAME = "redis-server";

/** A program that serves Redis' protocol. */
export type Binary = { readonly path: string; readonly major: number };

let found: Promise<Binary> | undefined;

/** The server to start: the environment's, one in the path, or one that is installed for it. */
export function redisBinary(): Promise<Binary> {
  found ??= findOrInstall();
  return found;
}

async function findOrInstall(): Promise<Binary> {
  const wanted = process.env[VARIABLE];
  if (wanted !== undefined && wanted !== "") return binaryAt(wanted);
  const present = inPath();
  if (present !== undefined) return binaryAt(present);
  const obstacle = await installRedis();
  const installed = inPath();
  if (installed !== undefined) return binaryAt(installed);
  throw new Error(
    `These tests start redis-server, and there is none in the path. ${obstacle ?? "Installing it changed nothing."} ` +
      `Install it ("apt-get install redis-server", "brew install redis"), or name a program in ${VARIABLE}.`,
  );
}

/** The first program in the path that serves; a better name in a later folder comes first. */
function inPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Prints "Redis server v=7.0.15 sha=…", or "Valkey server v=8.1.0 sha=…". */
function binaryAt(path: string): Binary {
  const { stdout, error } = spawnSync(path, ["--version"], {
    argv0: SERVER_NAME,
    encoding: "utf8",
  });
  const version = /\bv=(\d+)\./.exec(stdout ?? "");
  if (version !== null) return { path, major: Number(version[1]) };
  const [said] = (error?.message ?? stdout ?? "").split("\n");
  throw new Error(
    `${path} does not print the version of a Redis server, but "${said}". ` +
      `Name one that does in ${VARIABLE}, or take it out of the path.`,
  );
}
