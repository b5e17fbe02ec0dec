/** What happens to a service while it starts, which may take as long as its store needs. */
import { execFileSync } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { unknownIn } from "../../../src/process/options/unknown-variables.ts";
import {
  complaint,
  directory,
  inDirectory,
  rules,
  run,
  write,
} from "../../support/command-scene.ts";
import { SHOP } from "../../support/shop.ts";

inDirectory();

/** Starts a service that reads its rules, and then waits until it is given the last of them by a pipe. */
async function startHeld(args: readonly string[] = []) {
  const pipe = join(directory, "last.pipe");
  execFileSync("mkfifo", [pipe]);
  const command = run(["serve", rules, pipe, "--port", "0", ...args]);
  // It is opened for writing when the service has opened it for reading.
  const file = await open(pipe, "w");
  const goOn = async () => {
    await file.write("domain: last");
    await file.close();
    await command.says(/Listening on /);
  };
  return { command, goOn };
}

const BY_WORKERS = ["--workers", "2", "--store", "sqlite:limits.db"];
const ways: readonly [string, () => readonly string[]][] = [
  ["alone", () => []],
  ["by workers", () => BY_WORKERS.map((arg) => arg.replace("limits.db", `${directory}/l.db`))],
];

it.each(ways)("a SIGHUP does not end it (%s)", async (_, args) => {
  const { command, goOn } = await startHeld(args());
  command.process.kill("SIGHUP");
  await goOn();
});

it.each(ways)("rules that change after they were read are read again (%s)", async (_, args) => {
  const { command, goOn } = await startHeld(args());
  write("shop.yaml", SHOP.replace("requests_per_unit: 5", "requests_per_unit: 6"));
  await goOn();
  // Which can't be while one of them comes by a pipe.
  await command.complains(/rule files have changed, and can't be used/);
});

it.each(["pipe.yaml", "device.yml"])(
  "a directory in which %s is no file does not hold it up",
  async (name) => {
    if (name.startsWith("pipe")) execFileSync("mkfifo", [join(directory, name)]);
    else execFileSync("ln", ["-s", "/dev/zero", join(directory, name)]);
    for (const verb of ["serve", "check"]) {
      expect(await complaint([verb, directory])).toBe(
        `unreadable-path ${join(directory, name)}: expected a regular file`,
      );
    }
  },
);

it("reads a pipe without a name, as shells make them", () => {
  const bin = fileURLToPath(new URL("../../../bin/spillway.js", import.meta.url));
  const script = 'exec "$0" "$1" check "$2" <(echo "domain: market")';
  const said = execFileSync("bash", ["-c", script, process.execPath, bin, rules]);
  expect(String(said)).toContain("2 files, 7 limits: all is well");
});

it("names variables that are none of the service's, and what they were probably meant to be", async () => {
  const env = {
    SPILLWAY_ADMIN_TOKEN: "0123456789abcdef",
    SPILLWAY_WORKER: "1",
    SPILLWAY_MAX_KEYS: "",
    SPILLWAY_ADMIN_TOKN: "x",
    spillway_workers: "2",
    SPILLWAY_FAVOURITE_COLOUR_OF_ALL: "x",
    "SPILLWAY_\u202e": "x",
    SPILLWAY_PORT: "tcp://10.0.0.1:8080",
    SPILLWAY_PORT_8080_TCP_ADDR: "10.0.0.1",
    SPILLWAY_METRICS_SERVICE_HOST: "10.0.0.2",
    SPILLWAY_GRPC_PORT: "9000",
  };
  expect(unknownIn(env)).toEqual([
    "SPILLWAY_ADMIN_TOKN is not a variable of the service. Did you mean SPILLWAY_ADMIN_TOKEN?",
    "SPILLWAY_FAVOURITE_COLOUR_OF_ALL is not a variable of the service",
    "SPILLWAY_GRPC_PORT is not a variable of the service",
    expect.stringMatching(/^SPILLWAY_\\u\{202e\} is not a variable/),
    "spillway_workers is not a variable of the service. Did you mean SPILLWAY_WORKERS?",
  ]);
  const command = run(["serve", rules, "--port", "0"], { SPILLWAY_METRICS_TOKENS: "secret" });
  await command.complains(
    /SPILLWAY_METRICS_TOKENS is not a variable .* mean SPILLWAY_METRICS_TOKEN\?/,
  );
  await command.says(/Listening on /);
  expect(command.stderr).not.toContain("secret");
});
