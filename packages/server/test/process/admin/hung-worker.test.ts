/** The administration of several workers, one of which hangs. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import { directory, inDirectory } from "../../support/command-scene.ts";
import { descriptor, send } from "../../support/service.ts";
import { startService } from "../../support/service-process.ts";
import { SHOP } from "../../support/shop.ts";

const CHANGE = "the-token-to-change";
const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
const modeOff = { all: true, mode: "off", reason: "outage" };

inDirectory();

// SIGSTOP, which makes a process hang, is a signal of POSIX.
it.skipIf(process.platform === "win32")(
  "goes on with the others, names the one that has not confirmed, and has it follow",
  async () => {
    const store = `sqlite:${join(directory, "limits.db")}`;
    const args = ["--workers", "2", "--admin-port", "0", "--deadline", "30000"];
    const env = { SPILLWAY_ADMIN_TOKEN: CHANGE };
    await using service = await startService({ rules: SHOP, store, args, env });
    await service.says(/workers serve, as processes/);
    const url = /Administration on (http:\S+)/.exec(service.said)?.[1] ?? "";
    const headers = { "content-type": "application/json", authorization: `Bearer ${CHANGE}` };
    const call = (name: string, body: object) =>
      send({ url }, `/v1/admin/${name}`, body, { headers });
    const topKeys = async () => (await fetch(`${url}/v1/admin/top-keys`, { headers })).json();
    const pid = Number(/as processes (\d+)/.exec(service.said)?.[1]);
    process.kill(pid, "SIGSTOP");
    try {
      const { status, body } = await call("mode", modeOff);
      expect([status, body.code]).toEqual([503, "unavailable"]);
      expect(body.detail).toContain(`worker 1, process ${pid}, expected`);
      expect(await topKeys()).toMatchObject({ missing: 1 });
      expect((await call("get", ann)).status).toBe(200);
      expect((await call("reset", { ...ann, reason: "x" })).status).toBe(200);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await until(async () => !("missing" in ((await topKeys()) as object)), {
      what: "the worker answers again",
    });
    expect((await call("mode", { ...modeOff, mode: "enforce" })).status).toBe(200);
  },
);

it.skipIf(process.platform === "win32")(
  "does not hold up changed rules, and follows once it answers",
  async () => {
    const store = `sqlite:${join(directory, "limits.db")}`;
    const file = join(directory, "more.yaml");
    const write = (units: number) => {
      const limit = `rate_limit: { unit: day, requests_per_unit: ${units} }`;
      writeFileSync(`${file}.new`, `domain: more\ndescriptors: [{ key: user, ${limit} }]\n`);
      renameSync(`${file}.new`, file);
    };
    write(1);
    await using service = await startService({
      rules: SHOP,
      store,
      args: [file, "--workers", "2", "--deadline", "30000"],
    });
    await service.says(/workers serve, as processes/);
    const pid = Number(/as processes (\d+)/.exec(service.said)?.[1]);
    process.kill(pid, "SIGSTOP");
    try {
      write(2);
      await service.warns(new RegExp(`process ${pid}, has not confirmed the new rules: it uses`));
      await service.says(/rule files have changed: 1 /);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    const more = { domain: "more", descriptors: [descriptor("user=ann")] };
    const capacities = async () => {
      const checks = Array.from({ length: 8 }, () => service.post("/v1/check", more));
      return (await Promise.all(checks)).map(({ body }) => body.capacity);
    };
    await until(async () => (await capacities()).every((capacity) => capacity === 2), {
      what: "both workers use the changed rules",
    });
  },
);
