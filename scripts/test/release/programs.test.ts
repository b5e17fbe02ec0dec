/** What `scripts/setup/programs.sh` installs, and that it never fails: with an apt-get that only writes down its calls. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ON_WINDOWS, ROOT } from "../../setup/places.mjs";
import { run } from "../packed/run.ts";

const SCRIPT = join(ROOT, "scripts/setup/programs.sh");
const PROXIES = ["nginx", "caddy", "haproxy"];

type Machine = {
  readonly present: readonly string[];
  readonly user?: string;
  /** What apt-get ends with. */
  readonly status?: number;
};

/** Runs the script where just these programs are; Chromium always is. */
function install({ present, user = "0", status = 0 }: Machine) {
  const folder = mkdtempSync(join(tmpdir(), "spillway-programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const calls = join(folder, "calls.txt");
  const add = (name: string, line: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  for (const name of present) add(name, "exit 1");
  add("id", `echo ${user}`);
  add("apt-get", `echo "$*" >> "${calls}"; echo noise; exit ${status}`);
  const env = { PATH: folder, SPILLWAY_CHROMIUM: SCRIPT };
  const outcome = run("/bin/sh", [SCRIPT], { env });
  const asked = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
  return { ...outcome, asked: asked.map((call) => call.replace(/^.*Timeout=\d+ /, "")) };
}

test.skipIf(ON_WINDOWS)("a machine that has all programs is left alone", () => {
  expect(install({ present: PROXIES })).toEqual({ status: 0, stdout: "", stderr: "", asked: [] });
});

test.skipIf(ON_WINDOWS)("what is missing is installed, one by one", () => {
  const { status, stdout, stderr, asked } = install({ present: ["caddy"] });
  const installing = "install -y --no-install-recommends";
  expect(asked).toEqual(["update", `${installing} nginx`, `${installing} haproxy`]);
  expect([status, stdout, stderr]).toEqual([0, "Installing for tests: nginx haproxy\n", ""]);
});

test.skipIf(ON_WINDOWS)("an apt-get that fails fails nothing, and is named", () => {
  const { status, stdout, stderr } = install({ present: ["nginx", "caddy"], status: 100 });
  expect(stdout).toContain("Not installed: haproxy; its tests are skipped\n");
  expect([status, stderr]).toEqual([0, ""]);
});

test.skipIf(ON_WINDOWS)("who is not root installs nothing", () => {
  const { status, stdout, asked } = install({ present: [], user: "1000" });
  expect({ status, stdout, asked }).toEqual({ status: 0, stdout: "", asked: [] });
});
