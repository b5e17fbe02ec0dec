/** `spillway serve`: what it says, and where it listens. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { directory, inDirectory, start, write } from "../support/command-scene.ts";
import { SHOP } from "../support/shop.ts";

inDirectory();

describe("spillway serve", () => {
  it("says what it serves, and listens to this machine alone", async () => {
    const { command, url } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(command.stdout).toMatch(/^\S+Z 7 limits, state in this process's memory$/m);
    expect(command.stdout).toMatch(/shop\/user +fixed window, 5 per minute/);
    expect(command.stdout).toMatch(/ Admin calls from this machine need no token/m);
    expect(await (await fetch(`${url}/healthcheck`)).text()).toBe("OK");
  });

  it.each([
    [
      ["--host", "0.0.0.0"],
      {},
      /^http:\/\/127\.0\.0\.1:/,
      / Admin calls to this address are disabled/m,
    ],
    [[], { HOST: "0.0.0.0" }, /127\.0\.0\.1:/, / Admin calls to this address are disabled/m],
    [
      [],
      { SPILLWAY_ADMIN_TOKEN: "x".repeat(16) },
      /127\.0\.0\.1:/,
      / Admin calls need SPILLWAY_ADMIN_TOKEN/m,
    ],
    [
      ["--host", "127.0.0.1"],
      { HOST: "0.0.0.0" },
      /127\.0\.0\.1:/,
      / Admin calls from this machine/m,
    ],
  ])("says who may make admin calls: %j %j", async (args, env, address, resets) => {
    const { command, url } = await start(args, env);
    expect(url).toMatch(address);
    expect(command.stdout).toMatch(resets);
  });

  it("serves the rules of several paths", async () => {
    const more = join(directory, "more");
    mkdirSync(more);
    write("more/a.yaml", "domain: a\ndescriptors: [{ key: k, rate_limit: { unit: day } }]");
    write("more/b.yml", "domain: b\ndescriptors: [{ key: k, rate_limit: { unit: day } }]");
    const { command } = await start([more]);
    expect(command.stdout).toMatch(/^\S+Z 9 limits, state in/m);
  });

  /** The words of the lines that are to be pasted into a shell, which takes them apart. */
  function pasted({ stdout }: { readonly stdout: string }): readonly (readonly string[])[] {
    const lines = stdout.split("\n");
    const commands = lines.flatMap((line) => /^\S+Z {3}curl (.*)$/.exec(line)?.[1] ?? []);
    // fetch stands for curl, which not every machine has.
    return commands.map((words) =>
      execFileSync("sh", ["-c", `printf '%s\\n' ${words}`], { encoding: "utf8" })
        .trimEnd()
        .split("\n"),
    );
  }

  it("prints two curl lines that work when pasted into a shell", async () => {
    write("shop.yaml", SHOP.replace("value: sale", 'value: "it\'s\\t$HOME é\\u202e🙂"'));
    const { command, url } = await start();
    const lines = pasted(command);
    expect(lines).toHaveLength(2);
    const answers = lines.map(async (words) => {
      const [, target = "", , header = "", , body = ""] = words;
      const [name = "", value = ""] = header.split(": ");
      return fetch(target, { method: "POST", headers: { [name]: value }, body });
    });
    const [v1, json] = await Promise.all(answers);
    expect([v1?.url, v1?.status]).toEqual([`${url}/v1/limit`, 200]);
    expect(await v1?.json()).toMatchObject({ limit: "shop/user", remaining: 4 });
    expect([json?.url, json?.status]).toEqual([`${url}/json`, 200]);
    expect(await json?.json()).toMatchObject({ statuses: [{ limitRemaining: 2 }] });
  });

  it("prints one as nginx asks, where rules have an http section", async () => {
    const http = "http: [{ actions: [{ remote_address: {} }] }]";
    const limit = "descriptors: [{ key: remote_address, rate_limit: { unit: day } }]";
    const domain = (name: string) => `domain: ${JSON.stringify(name)}\n${http}\n${limit}`;
    write("shop.yaml", domain("shop"));
    const { command } = await start();
    expect(await statusOf(pasted(command).at(-1))).toEqual([429]);
    write("shop.yaml", domain("it's $HOME & more"));
    const other = await start([write("other.yaml", domain("shop"))]);
    expect(await statusOf(pasted(other.command).at(-1))).toEqual([429]);
  });

  async function statusOf([, target = "", ...rest]: readonly string[] = []) {
    const headers = rest.filter((word) => word !== "-H").map((word) => word.split(": "));
    const { status } = await fetch(target, { headers: headers as [string, string][] });
    return [status];
  }

  it.each(["SIGINT", "SIGTERM"] as const)("ends cleanly on %s", async (signal) => {
    const { command, url } = await start();
    await fetch(`${url}/healthcheck`);
    command.process.kill(signal);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toContain(`${signal}: finishing open requests`);
    expect(command.stderr).toBe("");
    for (const line of command.stdout.trimEnd().split("\n")) {
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /);
    }
    await expect(fetch(`${url}/healthcheck`)).rejects.toThrow();
  });

  it("answers what is under way before it ends, and waits for nobody who asks nothing", async () => {
    const { command, url } = await start();
    const port = Number(new URL(url).port);
    const silent = connect(port, "127.0.0.1").on("error", () => {});
    const asking = connect(port, "127.0.0.1");
    await Promise.all([once(silent, "connect"), once(asking, "connect")]);
    const entries = [{ key: "user", value: "ann" }];
    const body = JSON.stringify({ domain: "shop", descriptors: [{ entries }] });
    const fields = `content-type: application/json\r\ncontent-length: ${body.length}`;
    // The server says "continue" once the request has begun.
    asking.write(
      `POST /v1/limit HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n${fields}\r\n\r\n`,
    );
    await once(asking, "data");
    command.process.kill("SIGTERM");
    await command.says(/finishing open requests/);
    asking.write(body);
    expect(await text(asking)).toMatch(/^HTTP\/1\.1 200 OK.*"remaining":4/s);
    expect(await command.ended()).toBe(0);
  });
});
