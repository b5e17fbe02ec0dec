/** The administration of `spillway serve`: its port, its socket, its tokens, its audit log. */
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import {
  complaint,
  directory,
  inDirectory,
  rules,
  run,
  write,
} from "../../support/command-scene.ts";
import { descriptor, send } from "../../support/service.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";
import { SHOP } from "../../support/shop.ts";

const CHANGE = "the-token-to-change";
const READ = "the-token-to-read";
const TOKENS = { SPILLWAY_ADMIN_TOKEN: CHANGE, SPILLWAY_ADMIN_READ_TOKEN: READ };
const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };

inDirectory();

function adminUrl({ said }: ServiceProcess): string {
  return /Administration on (http:\S+)/.exec(said)?.[1] ?? "";
}

async function statusOf(service: ServiceProcess, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${adminUrl(service)}/v1/admin/modes`, { headers })).status;
}

/** Calls over a Unix socket. */
function over(socketPath: string, path: string, body?: object): Promise<number> {
  const method = body === undefined ? "GET" : "POST";
  const headers = { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: `/v1/admin/${path}`, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on("error", reject);
    call.end(body === undefined ? "" : JSON.stringify(body));
  });
}

const modeOff = { limit: "shop/user", mode: "off", reason: "too tight" };

describe("the start", () => {
  const serving = (...args: string[]) => ["serve", rules, "--admin-port", "0", ...args];

  it("stops at a port that everybody could use", async () => {
    expect(await complaint(serving())).toMatch(/^bad-token .*SPILLWAY_ADMIN_TOKEN.*--admin-socket/);
  });

  it("stops at a token that is named twice, is shared, or is no token", async () => {
    const file = write("token", `${CHANGE}\n`);
    expect(await complaint(serving("--admin-token-file", file), TOKENS)).toMatch(
      /^bad-token .*both/,
    );
    const shared = { ...TOKENS, SPILLWAY_ADMIN_READ_TOKEN: CHANGE };
    expect(await complaint(serving(), shared)).toMatch(/^bad-token .*another one/);
    const short = write("short", "x\n");
    expect(await complaint(serving("--admin-token-file", short))).toMatch(
      /^bad-token .*short has 1/,
    );
    expect(await complaint(serving("--admin-token-file", join(directory, "none")))).toMatch(
      /^unreadable-path .*none/,
    );
  });

  it("stops at a socket that another program has, or at a file in its place", async () => {
    const path = join(directory, "taken.sock");
    const server = createServer().listen(path);
    await until(() => server.listening, { what: "it listens" });
    const args = ["serve", rules, "--port", "0", "--admin-socket", path];
    expect(await complaint(args)).toMatch(/^port-in-use .*taken\.sock/);
    await new Promise((resolve) => server.close(resolve));
    writeFileSync(path, "");
    expect(await complaint(args)).toMatch(/^address-unusable .*no socket/);
    args[args.length - 1] = join(directory, "none", "admin.sock");
    expect(await complaint(args)).toMatch(/^address-unusable .*none is no folder; create it first/);
  });

  it("stops at an audit log that can't be opened", async () => {
    const file = join(directory, "none", "audit.jsonl");
    const args = serving("--port", "0", "--audit-file", file);
    expect(await complaint(args, TOKENS)).toMatch(/^unwritable-path .*audit\.jsonl/);
  });
});

describe("a socket", () => {
  it("is for the service's own user, needs no token, and is gone at the end", async () => {
    const path = join(directory, "admin.sock");
    await using service = await startService({ rules: SHOP, args: ["--admin-socket", path] });
    await service.says(/Administration on unix:/);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(await over(path, "mode", modeOff)).toBe(200);
    expect((await service.post("/v1/limit", ann)).body.decisions).toMatchObject([{ off: true }]);
    expect(await service.stop()).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  it("of a killed process is replaced", async () => {
    const path = join(directory, "admin.sock");
    const start = () => startService({ rules: SHOP, args: ["--admin-socket", path] });
    const killed = await start();
    await killed.says(/Administration on unix:/);
    await killed[Symbol.asyncDispose]();
    expect(existsSync(path)).toBe(true);
    await using service = await start();
    await service.says(/Administration on unix:/);
    expect(await over(path, "modes")).toBe(200);
  });

  it("closes admin calls without a token on the service's own port", async () => {
    const path = join(directory, "admin.sock");
    await using service = await startService({ rules: SHOP, args: ["--admin-socket", path] });
    expect(await service.post("/v1/reset", ann)).toMatchObject({
      status: 403,
      body: { code: "admin-closed" },
    });
  });
});

describe("tokens in files", () => {
  it("are replaced without a restart, on both ports", async () => {
    const change = write("change", `${CHANGE}\n`);
    const read = write("read", READ);
    await using service = await startService({
      rules: SHOP,
      args: ["--admin-port", "0", "--admin-token-file", change, "--admin-read-token-file", read],
    });
    await service.says(/Administration on http/);
    expect(await Promise.all([CHANGE, READ].map((one) => statusOf(service, one)))).toEqual([
      200, 200,
    ]);
    writeFileSync(change, "the-next-token-to-change\n");
    await service.says(/tokens of administrators have changed/);
    expect(await statusOf(service, CHANGE)).toBe(401);
    expect(await statusOf(service, "the-next-token-to-change")).toBe(200);
    const reset = (token: string) =>
      send(service, "/v1/reset", ann, {
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      });
    expect((await reset(CHANGE)).status).toBe(401);
    const { status, headers } = await reset("the-next-token-to-change");
    expect(status).toBe(200);
    expect(headers.get("deprecation")).toMatch(/^@\d+$/);
    writeFileSync(change, "short\n");
    await service.warns(/new tokens can't be used; the previous ones stay in use/);
    expect(await statusOf(service, "the-next-token-to-change")).toBe(200);
  });

  it.skipIf(process.platform === "win32")("are read again on SIGHUP", async () => {
    const change = write("change", CHANGE);
    await using service = await startService({
      rules: SHOP,
      args: ["--admin-port", "0", "--admin-token-file", change],
    });
    await service.says(/Administration on http/);
    writeFileSync(change, "the-next-token-to-change");
    service.signal("SIGHUP");
    await service.says(/tokens of administrators have changed/);
    expect(await statusOf(service, "the-next-token-to-change")).toBe(200);
  });
});

describe("several workers", () => {
  it("have one administration: its modes reach all, also a later worker, and reloads", async () => {
    const audit = join(directory, "audit.jsonl");
    const file = write("more.yaml", SHOP.replace("domain: shop", "domain: more"));
    await using service = await startService({
      rules: SHOP,
      store: `sqlite:${join(directory, "limits.db")}`,
      args: [
        file,
        "--workers",
        "2",
        "--admin-port",
        "0",
        "--audit-file",
        audit,
        "--deadline",
        "30000",
      ],
      env: TOKENS,
    });
    await service.says(/workers serve, as processes/);
    const call = (name: string, body: object) =>
      send({ url: adminUrl(service) }, `/v1/admin/${name}`, body, {
        headers: { "content-type": "application/json", authorization: `Bearer ${CHANGE}` },
      });
    const rolesOf = async () => {
      const all = await Promise.all([1, 2, 3, 4].map(() => service.post("/v1/limit", ann)));
      return all.map(({ body }) => (body.decisions as [{ off?: true }])[0].off === true);
    };
    expect(await rolesOf()).toEqual([false, false, false, false]);
    expect(await call("block", { ...ann, for: 3_600_000, reason: "x" })).toMatchObject({
      status: 200,
      body: { values: [{ blockedFor: expect.any(Number) }] },
    });
    expect((await call("mode", modeOff)).status).toBe(200);
    expect(await rolesOf()).toEqual([true, true, true, true]);
    writeFileSync(file, `${SHOP.replace("domain: shop", "domain: more")}\n`);
    await service.says(/switched modes stay: shop\/user off/);
    const [, pid = ""] = /as processes (\d+)/.exec(service.said) ?? [];
    process.kill(Number(pid), "SIGKILL");
    await service.says(/worker 1 serves again/);
    expect(await rolesOf()).toEqual([true, true, true, true]);
    const headers = { authorization: `Bearer ${READ}` };
    const keys = await fetch(`${adminUrl(service)}/v1/admin/top-keys`, { headers });
    expect(await keys.json()).toMatchObject({ keys: [{ limit: "shop/user" }] });
    const old = { "content-type": "application/json", authorization: `Bearer ${CHANGE}` };
    expect((await send(service, "/v1/unblock", ann, { headers: old })).status).toBe(200);
    expect(await service.stop()).toBe(0);
    const entries = readFileSync(audit, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries).toMatchObject([
      { what: "block", on: ["shop/user=ann"], reason: "x" },
      { what: "mode", before: "enforce", after: "off" },
      { what: "unblock", on: ["shop/user=ann"], by: "change token, /v1/unblock" },
    ]);
  });
});

it("refuses changes while the audit log can't be written, and goes on after that", async () => {
  const inner = join(directory, "inner");
  mkdirSync(inner);
  const path = join(directory, "admin.sock");
  const args = ["--admin-socket", path, "--audit-file", join(inner, "audit.jsonl")];
  await using service = await startService({ rules: SHOP, args });
  await service.says(/Administration on unix:/);
  rmSync(inner, { recursive: true });
  expect(await over(path, "mode", modeOff)).toBe(503);
  expect((await service.post("/v1/limit", ann)).body.decisions).toMatchObject([{ remaining: 4 }]);
  mkdirSync(inner);
  expect(await over(path, "mode", modeOff)).toBe(200);
});

it("commands call it with the environment of a shell", async () => {
  const path = join(directory, "admin.sock");
  await using service = await startService({ rules: SHOP, args: ["--admin-socket", path] });
  await service.says(/Administration on unix:/);
  const env = { SPILLWAY_ADMIN_URL: `unix:${path}` };
  const mode = run(["mode", "off", "--limit", "shop/user", "--reason", "too tight", "--json"], env);
  expect(await mode.ended()).toBe(0);
  expect(JSON.parse(mode.stdout)).toEqual({
    version: 1,
    limits: [{ limit: "shop/user", mode: "off" }],
  });
  const refused = run(["mode", "off", "--limit", "shop/usr", "--reason", "x"], env);
  expect(await refused.ended()).toBe(1);
  expect(refused.stderr).toMatch(/^admin-refused unknown-limit: .*Did you mean shop\/user\?/);
  expect(await complaint(["mode", "off", "--all"])).toMatch(/^bad-admin .*without --reason/);
  expect(await complaint(["mode"])).toMatch(/^bad-admin .*SPILLWAY_ADMIN_URL/);
  const none = { SPILLWAY_ADMIN_URL: `unix:${join(directory, "none.sock")}` };
  expect(await complaint(["mode"], none)).toMatch(/^admin-unreachable .*none\.sock/);
});
