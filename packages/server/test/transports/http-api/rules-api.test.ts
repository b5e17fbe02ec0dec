/** Rules that are read and changed by HTTP, in a real process. */
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Command } from "../../support/command.ts";
import { descriptor, type Reply, send } from "../../support/service.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const limitOf = (requests: number, domain = "shop") => `domain: ${domain}
descriptors:
  - key: user
    rate_limit: { unit: year, requests_per_unit: ${requests} }
`;
const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };

const ADMIN = "sesame-sesame-sesame";
const OTHER = "another-of-others";
const TOKENS = { SPILLWAY_ADMIN_TOKEN: ADMIN, SPILLWAY_STORE_TOKEN: OTHER };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const commands: Command[] = [];
const end = async (command: Command) => {
  command.process.kill("SIGKILL");
  await command.ended();
};
afterEach(async () => {
  for (const command of commands.splice(0)) await end(command);
});

type Served = { readonly url: string; readonly command: Command };

async function serving(args: readonly string[]): Promise<Served> {
  const command = new Command(["serve", ...args, "--port", "0"], TOKENS);
  commands.push(command);
  const [, url = ""] = await command.says(/Listening on (\S+)\. Try/);
  return { url, command };
}

/** The service of most tests: to start one takes a second of a processor. */
let shared: Served & { readonly file: string };
const directory = mkdtempSync(join(tmpdir(), "spillway-rules-"));
beforeAll(async () => {
  const file = join(directory, "rules.yaml");
  writeFileSync(file, limitOf(5));
  shared = { ...(await serving([file])), file };
  commands.length = 0; // It outlives each test.
});
afterAll(async () => {
  await end(shared.command);
  rmSync(directory, { recursive: true });
});

/** It, with a limit of 5 of which 3 are used. */
async function used(): Promise<typeof shared> {
  // Each post has a thread of its own parse it.
  if ((await left(shared))[0] !== 5) await post(shared, limitOf(5));
  await send(shared, "/v1/reset", ann, {
    headers: { "content-type": "application/json", ...bearer(ADMIN) },
  });
  await send(shared, "/v1/limit", { ...ann, count: 3 });
  return shared;
}

function post(
  at: Served,
  text: string | Uint8Array,
  query = "",
  more: object = {},
): Promise<Reply> {
  const headers = { "content-type": "application/yaml", ...bearer(ADMIN), ...more };
  return send(at, `/v1/rules${query}`, "", { headers, body: text as string });
}

async function running(at: Served) {
  const answer = await fetch(`${at.url}/v1/rules`, { headers: bearer(ADMIN) });
  return (await answer.json()) as { files: object[]; limits: object[] };
}

async function left(at: Served): Promise<readonly unknown[]> {
  const { body } = await send(at, "/v1/check", { ...ann, count: 0 });
  return [body.capacity, body.remaining];
}

type Wrong = readonly [string, string | Uint8Array, string, object, number, string];
const WRONG: readonly Wrong[] = [
  [
    "another content type",
    limitOf(9),
    "",
    { "content-type": "application/json" },
    415,
    "bad-content-type",
  ],
  ["bytes that are not UTF-8", new Uint8Array([0x64, 0xff]), "", {}, 400, "bad-rules"],
  ["no body", "", "", {}, 400, "bad-rules"],
  ["a body over a megabyte", `#${"x".repeat(1 << 20)}`, "", {}, 413, "body-too-large"],
  ["a misspelt parameter", limitOf(9), "?wrote=true", {}, 400, "unknown-field"],
  ["a flag that is none", limitOf(9), "?write=yes", {}, 400, "bad-field"],
  ["a web page", limitOf(9), "", { origin: "https://evil.example" }, 403, "foreign-origin"],
];

describe("POST /v1/rules", () => {
  it("decides by other rules at once, keeps what was used, and says what has changed", async () => {
    const at = await used();
    const text = `${limitOf(9)}  - key: shop\n    rate_limit: { unit: day, requests_per_unit: 1 }\n`;
    const { status, body } = await post(at, text);
    expect([status, body]).toEqual([
      200,
      {
        file: at.file,
        applied: true,
        written: false,
        added: [{ limit: "shop/shop", allows: "fixed window, 1 per day" }],
        changed: [
          {
            limit: "shop/user",
            allows: "fixed window, 9 per year",
            before: "fixed window, 5 per year",
          },
        ],
        removed: [],
        http: [],
        warnings: [],
      },
    ]);
    expect(await left(at)).toEqual([9, 6]);
    await at.command.says(/rules were posted for .*rules\.yaml: 2 limits: 1 added, 1 changed/);
    await at.command.says(
      /~ shop\/user +fixed window, 9 per year, before: fixed window, 5 per year/,
    );
    expect(readFileSync(at.file, "utf8")).toBe(limitOf(5));
    expect(await running(at)).toEqual({
      files: [{ file: at.file, posted: true, text }],
      limits: [
        { limit: "shop/user", allows: "fixed window, 9 per year" },
        { limit: "shop/shop", allows: "fixed window, 1 per day" },
      ],
    });
  });

  it("names the domains whose http section would differ", async () => {
    const at = await used();
    const text = `${limitOf(5)}http: [{ actions: [{ method: {} }] }]\n`;
    const { body } = await post(at, text, "?check=true");
    expect(body).toMatchObject({ applied: false, added: [], changed: [], http: ["shop"] });
  });

  it("changes nothing where they are wrong, and names every mistake with its place", async () => {
    const at = await used();
    const { status, headers, body } = await post(at, `${limitOf(9)}desriptors: []\nmore: 1\n`);
    expect([status, headers.get("content-type")]).toEqual([
      400,
      "application/problem+json; charset=utf-8",
    ]);
    expect(body).toMatchObject({
      code: "bad-rules",
      detail: "Found 2 mistakes; the previous rules stay in use",
      problems: [
        { file: at.file, line: 5, column: 1, code: "unknown-field" },
        { file: at.file, line: 6, column: 1, code: "unknown-field" },
      ],
    });
    expect(await left(at)).toEqual([5, 2]);
  });

  it("only says what would change, where it is to check", async () => {
    const at = await used();
    const { body } = await post(at, limitOf(9), "?check=true&write=true");
    expect(body).toMatchObject({
      applied: false,
      written: false,
      changed: [{ limit: "shop/user" }],
    });
    expect(await left(at)).toEqual([5, 2]);
    expect(readFileSync(at.file, "utf8")).toBe(limitOf(5));
  });

  it("needs to know which of several files, and checks all of them together", async () => {
    const directory = temporaryDirectory();
    for (const name of ["bar", "shop"]) {
      writeFileSync(join(directory, `${name}.yaml`), limitOf(5, name));
    }
    const at = await serving([directory]);
    expect((await post(at, limitOf(9))).body).toMatchObject({
      code: "unknown-file",
      detail: expect.stringContaining(join(directory, "shop.yaml")),
    });
    expect((await post(at, limitOf(9), "?file=cafe.yaml")).body).toMatchObject({
      code: "unknown-file",
    });
    expect((await post(at, limitOf(9, "bar"), "?file=shop.yaml")).body).toMatchObject({
      code: "bad-rules",
      problems: [{ code: "duplicate-domain" }],
    });
    expect((await post(at, limitOf(9), "?file=shop.yaml")).body).toMatchObject({ applied: true });
    expect(await running(at)).toMatchObject({ files: [{ posted: false }, { posted: true }] });
  });

  it("takes posts one after the other, and decides by the last", async () => {
    const at = await used();
    const numbers = Array.from({ length: 4 }, (_, index) => 10 + index);
    const answers = await Promise.all(numbers.map((number) => post(at, limitOf(number))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const [one] = (await running(at)).limits as [{ allows: string }];
    const [capacity] = (await left(at)) as [number];
    expect(one.allows).toBe(`fixed window, ${capacity} per year`);
  });

  it("refuses what is none, and says why", async () => {
    const at = await used();
    for (const [what, text, query, headers, status, code] of WRONG) {
      const answer = await post(at, text, query, headers);
      expect([answer.status, answer.body.code], what).toEqual([status, code]);
    }
    expect(await left(at)).toEqual([5, 2]);
  });

  it("needs the admin token, to read too", async () => {
    const at = await used();
    expect((await post(at, limitOf(9), "", { authorization: "" })).status).toBe(401);
    expect((await post(at, limitOf(9), "", bearer(OTHER))).status).toBe(401);
    expect((await fetch(`${at.url}/v1/rules`)).status).toBe(401);
    expect(await left(at)).toEqual([5, 2]);
  });

  it("reaches all workers before it answers", async () => {
    const directory = temporaryDirectory();
    const file = join(directory, "rules.yaml");
    writeFileSync(file, limitOf(5));
    const store = `sqlite:${join(directory, "state.db")}`;
    const at = await serving([file, "--workers", "2", "--store", store]);
    // The workers listen a moment before their rules are watched.
    await at.command.says(/2 workers serve/);
    expect((await post(at, limitOf(9))).body).toMatchObject({ applied: true });
    const headers = { connection: "close", "content-type": "application/json" };
    for (let ask = 1; ask <= 6; ask++) {
      const { body } = await send(at, "/v1/limit", ann, { headers });
      expect([body.capacity, body.remaining]).toEqual([9, 9 - ask]);
    }
    expect(await running(at)).toMatchObject({ files: [{ posted: true }] });
  });

  it("writes the file by renaming, through a link too, and leaves nothing beside it", async () => {
    const directory = temporaryDirectory();
    const [real, link] = [join(directory, "real.yaml"), join(directory, "rules.yaml")];
    writeFileSync(real, limitOf(5), { mode: 0o640 });
    symlinkSync("real.yaml", link);
    const at = await serving([link]);
    expect((await post(at, limitOf(9), "?write=true")).body).toMatchObject({ written: true });
    expect(readFileSync(real, "utf8")).toBe(limitOf(9));
    expect((await readdir(directory)).sort()).toEqual(["real.yaml", "rules.yaml"]);
    expect(await running(at)).toMatchObject({ files: [{ posted: false, text: limitOf(9) }] });
  });

  // The two that change the shared service's file come last: it reads the file again some time after.

  it("changes nothing where the file can't be written", async () => {
    const at = await used();
    rmSync(at.file);
    const { status, body } = await post(at, limitOf(9), "?write=true");
    expect([status, body.code]).toEqual([500, "not-written"]);
    expect(body.detail).toMatch(/no such file or directory; the previous rules stay in use/);
    expect(await left(at)).toEqual([5, 2]);
  });

  it("gives way to a file that changes later", async () => {
    const at = await used();
    await post(at, limitOf(9));
    writeFileSync(`${at.file}.new`, limitOf(7));
    renameSync(`${at.file}.new`, at.file);
    await at.command.says(/rule files have changed: 1 limit: 0 added, 1 changed/);
    expect(await left(at)).toEqual([7, 4]);
    expect(await running(at)).toMatchObject({ files: [{ posted: false }] });
  });
});
