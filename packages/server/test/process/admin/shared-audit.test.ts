/** Services of one store share the audit log there: its versions count for all of them. */
import { describe, expect, it } from "vitest";
import { startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { startMigrated } from "../../support/postgres.ts";
import { descriptor, type Reply, send } from "../../support/service.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";
import { YEARLY } from "../../support/yearly.ts";

const TOKEN = "the-token-to-change";

/** Servers whose answers are on the disk. */
const SERVERS = { Redis: () => startRedis({ persistence: true }), Postgres: startMigrated };

type Serving = { readonly store: string; readonly args: readonly string[] };

function serve({ store, args }: Serving): Promise<ServiceProcess> {
  const all = ["--admin-port", "0", ...args];
  return startService({ rules: YEARLY, store, args: all, env: { SPILLWAY_ADMIN_TOKEN: TOKEN } });
}

async function adminOf(service: ServiceProcess) {
  await service.says(/Administration on http.*\n.*audited in/);
  const [, url = ""] = /Administration on (http:\S+)/.exec(service.said) ?? [];
  const headers = { "content-type": "application/json", authorization: `Bearer ${TOKEN}` };
  return {
    post: (name: string, body: object): Promise<Reply> =>
      send({ url }, `/v1/admin/${name}`, body, { headers }),
    audit: async () => {
      const response = await fetch(`${url}/v1/admin/audit?count=999`, { headers });
      const { entries } = (await response.json()) as { entries: readonly Entry[] };
      return entries;
    },
  };
}

type Entry = {
  readonly version: number;
  readonly on: readonly string[];
  readonly outcome: string;
  readonly service: string;
  readonly code?: string;
};

type Admin = Awaited<ReturnType<typeof adminOf>>;

function user(name: string) {
  return { domain: "shop", descriptors: [descriptor(`user=${name}`)] };
}

const blockOf = (name: string) => ({ ...user(name), for: 3_600_000, reason: "x" });

const versionsOf = (entries: readonly Entry[]) => entries.map(({ version }) => version);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe.each(["Redis", "Postgres"] as const)("two services of one %s", (name) => {
  it("count versions together, and their administrators see each other", async () => {
    await using server = await SERVERS[name]();
    const patient = { store: server.url, args: ["--deadline", "30000"] };
    await using first = await serve(patient);
    await using second = await serve({ ...patient, args: [...patient.args, "--workers", "2"] });
    const admins = [await adminOf(first), await adminOf(second)] as const;
    const blocks = upTo(20).map((n) => admins[n % 2 ? 0 : 1].post("block", blockOf(`u${n}`)));
    const versions = (await Promise.all(blocks)).map(({ body }) => body.version as number);
    expect(versions.toSorted((a, b) => a - b)).toEqual(upTo(20));
    expect(versionsOf(await admins[0].audit())).toEqual(upTo(20));
    const entries = await admins[0].audit();
    expect(await admins[1].audit()).toEqual(entries);
    expect(new Set(entries.map(({ service }) => service)).size).toBe(2);
    const unblock = { ...user("u1"), version: 20 };
    const tries = await Promise.all(admins.map((admin) => admin.post("unblock", unblock)));
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(tries.find(({ status }) => status === 409)?.body).toMatchObject({
      code: "version-conflict",
      newer: { what: "unblock", on: ["shop/user=u1"], version: 21 },
    });
    const others = admins.map((admin, n) =>
      admin.post("unblock", { ...user(`u${n + 2}`), version: 20 }),
    );
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("audit all that they change, and change only that, also while it is killed", async () => {
    await using server = await SERVERS[name]();
    await using first = await serve({ store: server.url, args: ["--deadline", "2000"] });
    await using second = await serve({ store: server.url, args: ["--deadline", "2000"] });
    const tried = new Tries();
    const admins = [await adminOf(first), await adminOf(second)];
    const ends = admins.map((admin, n) => tried.goOn(admin, `s${n}`));
    await tried.until((all) => all.filter(isDone).length > 5);
    await server.kill();
    await tried.until((all) => all.filter(({ code }) => code === "not-audited").length > 3);
    await server.restart();
    const before = tried.all.filter(isDone).length;
    await tried.until((all) => all.filter(isDone).length > before + 5);
    tried.end();
    await Promise.all(ends);
    await check(admins[0] as Admin, tried.all);
  });
});

/** What a try to block a user of its own was answered. */
type Try = { readonly user: string; readonly code: string | undefined; readonly version: number };

const isDone = ({ code }: Try) => code === undefined;

class Tries {
  readonly all: Try[] = [];
  #hasEnded = false;
  #wake = () => {};

  /** Blocks one user after the other, until `end`. */
  async goOn(admin: Admin, prefix: string): Promise<void> {
    for (let n = 0; !this.#hasEnded; n++) {
      const name = `${prefix}-${n}`;
      const { status, body } = await admin.post("block", blockOf(name));
      const code = status === 200 ? undefined : (body.code as string);
      this.all.push({ user: name, code, version: body.version as number });
      this.#wake();
    }
  }

  async until(isEnough: (all: readonly Try[]) => boolean): Promise<void> {
    while (!isEnough(this.all)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  end(): void {
    this.#hasEnded = true;
  }
}

/** Compares what was answered with the log, and with the blocks. */
async function check(admin: Admin, tries: readonly Try[]): Promise<void> {
  const entries = await admin.audit();
  const versions = versionsOf(entries);
  expect(new Set(versions).size).toBe(versions.length);
  const accepted = new Map(
    entries.filter(({ outcome }) => outcome === "accepted").map((one) => [one.version, one.on]),
  );
  for (const { user: name, version } of tries.filter(isDone)) {
    expect(accepted.get(version)).toEqual([`shop/user=${name}`]);
  }
  for (const { user: name } of tries.filter(({ code }) => code === "not-audited")) {
    const body = await read(admin, name);
    expect(body.budgets).toMatchObject([{ value: { blockedFor: 0 } }]);
  }
}

/** Reads a budget. A connection from before the restart may still break, which is 503. */
async function read(admin: Admin, name: string) {
  for (;;) {
    const { status, body } = await admin.post("get", user(name));
    if (status !== 503) return body;
  }
}
