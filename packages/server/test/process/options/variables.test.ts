/** Every variable of the environment that `spillway serve` understands: read, refused, or as good as not set. */
import { describe, expect, it } from "vitest";
import type { VariableOption } from "../../../src/process/options/option.ts";
import { serveOptions } from "../../../src/process/options/serve-options.ts";
import { MEANINGLESS, UNDERSTOOD } from "../../../src/process/options/upstream-environment.ts";
import { complaint, inDirectory, rules, run } from "../../support/command-scene.ts";
import { settingsFrom } from "../../support/settings.ts";

type Env = Readonly<Record<string, string>>;

type Row = {
  readonly name: string;
  /** What else has to be set for it to mean something. */
  readonly beside?: Env;
  /** What some of its texts make of the settings. */
  readonly good: Readonly<Record<string, object>>;
  readonly bad: readonly string[];
  /** What an empty text does. Default: nothing. */
  readonly empty?: "bad" | object;
};

const YES = ["true", "1", "t", "T", "TRUE", "True"];
const NO = ["false", "0", "f", "F", "FALSE", "False"];
const NEITHER = ["yes", "no", "on", "off", "tRUE", "2", "-1", "null", " true", "true ", "t rue"];

/** A boolean, and what it does where it is true, and where it is false. */
function boolean(name: string, on: object, off: object, beside: Env = {}): Row {
  const texts = [...YES.map((text) => [text, on]), ...NO.map((text) => [text, off])];
  return { name, good: Object.fromEntries(texts), bad: NEITHER, beside };
}

const REDIS: Env = { REDIS_URL: "redis:6379" };
const SENTINELS: Env = { REDIS_TYPE: "SENTINEL", REDIS_URL: "main,a:1" };
const TOKEN = "0123456789abcdef";
const BAD_TOKENS = ["x", "0123456789abcde", `${TOKEN} ${TOKEN}`, `${TOKEN}\n`, "ä".repeat(20)];
const PORTS = ["http", "-1", "65536", "1.5", "0x50", "80 ", "tcp://10.0.0.1:80"];
const names = (field: "limit" | "remaining" | "reset", name: string) => ({
  headerNames: { [field]: name },
  envoy: { responseHeaders: { [field]: name } },
});
const headers: Env = { LIMIT_RESPONSE_HEADERS_ENABLED: "true" };
const header = (name: string, field: "limit" | "remaining" | "reset"): Row => ({
  name,
  beside: headers,
  good: { "X-Left": names(field, "X-Left") },
  bad: ["two words", "a:b", "naïve", "a\nb", "x".repeat(101), "Content-Length", "connection"],
});

/** What upstream has as well, in the order of its settings. */
const UPSTREAM: readonly Row[] = [
  { name: "HOST", good: { "0.0.0.0": { host: "0.0.0.0" } }, bad: [] },
  { name: "PORT", good: { 0: { port: 0 }, 65535: { port: 65_535 } }, bad: PORTS },
  { name: "GRPC_HOST", good: { "::1": { grpcHost: "::1" } }, bad: [] },
  { name: "GRPC_PORT", good: { 9: { grpcPort: 9 } }, bad: PORTS },
  {
    name: "GRPC_MAX_CONNECTION_AGE",
    good: {
      "1h30m": { grpcMaxConnectionAge: 5_400_000 },
      "1h0m0s": { grpcMaxConnectionAge: 3_600_000 },
    },
    bad: ["90", "1.5h", "-1s", "0s", "400d", "400d1s", "soon"],
  },
  {
    name: "GRPC_MAX_CONNECTION_AGE_GRACE",
    good: { "250ms": { grpcGrace: 250 } },
    bad: ["90", "1.5h", "-1s", "0s", "400d", "soon"],
  },
  boolean("GRPC_SERVER_USE_TLS", { useTls: true }, { useTls: false }),
  { name: "GRPC_SERVER_TLS_CERT", good: { "c.pem": { tlsCert: "c.pem" } }, bad: [] },
  { name: "GRPC_SERVER_TLS_KEY", good: { "k.pem": { tlsKey: "k.pem" } }, bad: [] },
  { name: "GRPC_CLIENT_TLS_CACERT", good: { "ca.pem": { tlsClientCa: "ca.pem" } }, bad: [] },
  {
    name: "GRPC_CLIENT_TLS_SAN",
    good: Object.fromEntries(
      ["envoy.mesh", "127.0.0.1", "::1", "a_b.c"].map((name) => [name, { tlsClientSan: name }]),
    ),
    bad: [".mesh", "*.mesh", "a..b", "a b", "-a", "a-.b", "spiffe://mesh/envoy", "a.", "ä.mesh"],
  },
  { name: "RUNTIME_ROOT", good: { "/data": { paths: ["/data/config"] } }, bad: [] },
  {
    name: "RUNTIME_SUBDIRECTORY",
    beside: { RUNTIME_ROOT: "/data" },
    good: { limits: { paths: ["/data/limits/config"] } },
    bad: [],
  },
  {
    name: "RUNTIME_APPDIRECTORY",
    beside: { RUNTIME_ROOT: "/data" },
    good: { rules: { paths: ["/data/rules"] } },
    bad: [],
    empty: { paths: ["/data"] },
  },
  boolean(
    "MERGE_DOMAIN_CONFIG",
    { parse: { mergeDomains: true } },
    { parse: { mergeDomains: false } },
  ),
  boolean(
    "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT",
    { settings: { chargeRefused: false } },
    { settings: { chargeRefused: true } },
  ),
  boolean("SHADOW_MODE", { settings: { shadow: true } }, { settings: { shadow: false } }),
  boolean("QUOTA_MODE", { settings: { quota: true } }, { settings: { quota: false } }),
  boolean(
    "LIMIT_RESPONSE_HEADERS_ENABLED",
    { envoy: { responseHeaders: { limit: "RateLimit-Limit", reset: "RateLimit-Reset" } } },
    { envoy: { responseHeaders: undefined } },
  ),
  header("LIMIT_LIMIT_HEADER", "limit"),
  header("LIMIT_REMAINING_HEADER", "remaining"),
  header("LIMIT_RESET_HEADER", "reset"),
  boolean(
    "RESPONSE_DYNAMIC_METADATA",
    { envoy: { dynamicMetadata: true } },
    { envoy: { dynamicMetadata: false } },
  ),
  {
    name: "BACKEND_TYPE",
    beside: REDIS,
    good: { redis: { store: { topology: "node" } } },
    bad: ["memcache", "Redis", "memory"],
  },
  {
    name: "REDIS_TYPE",
    beside: REDIS,
    good: {
      SINGLE: { store: { topology: "node" } },
      cluster: { store: { topology: "cluster" } },
    },
    bad: ["clustre", "node", "SENTINEL"],
  },
  {
    name: "REDIS_SOCKET_TYPE",
    beside: REDIS,
    good: { tcp: { store: { topology: "node" } } },
    bad: ["unix", "udp"],
  },
  {
    name: "REDIS_URL",
    good: {
      "redis:6379": { store: { name: "redis://redis:6379" } },
      "redis://redis/2": { store: { name: "redis://redis:6379/2" } },
    },
    bad: ["/run/redis.sock", "unix:/run/redis.sock", "redis:99999", "a,b"],
  },
  {
    name: "REDIS_AUTH",
    beside: REDIS,
    good: {
      "s3:cr:t": { store: { username: "s3", password: "cr:t" } },
      "s@cret": { store: { username: undefined, password: "s@cret" } },
    },
    bad: ["user:"],
  },
  {
    name: "REDIS_SENTINEL_AUTH",
    beside: SENTINELS,
    good: {
      secret: { sentinels: { username: undefined, password: "secret" } },
      "ann:secret": { sentinels: { username: "ann", password: "secret" } },
    },
    bad: [],
  },
  boolean("REDIS_TLS", { store: { tls: true } }, { store: { tls: false } }, REDIS),
  {
    name: "LOG_LEVEL",
    good: {
      WARN: { logLevel: "warn" },
      debug: { logLevel: "debug" },
      trace: { logLevel: "debug" },
      fatal: { logLevel: "warn" },
    },
    bad: ["loud", "0"],
  },
  { name: "LOG_FORMAT", good: { JSON: { logFormat: "json" } }, bad: ["xml"] },
  boolean(
    "USE_PROMETHEUS",
    { metrics: { port: 9090, host: "127.0.0.1" }, upstream: { nearRatio: 0.8 } },
    { metrics: { port: undefined }, upstream: undefined },
  ),
  {
    name: "PROMETHEUS_ADDR",
    beside: { USE_PROMETHEUS: "true" },
    good: {
      ":9102": { metrics: { port: 9102, host: "127.0.0.1" } },
      "0.0.0.0:1": { metrics: { port: 1, host: "0.0.0.0" } },
      "[::1]:1": { metrics: { port: 1, host: "::1" } },
    },
    bad: ["9090", ":http", ":65536", "::1:9090", "a b", ":"],
  },
  {
    name: "NEAR_LIMIT_RATIO",
    beside: { USE_PROMETHEUS: "true" },
    good: { "0.5": { upstream: { nearRatio: 0.5 } }, 0: { upstream: { nearRatio: 0 } } },
    bad: ["80%", "1.1", "-0.1", "NaN", "1e-1", "0x1", " "],
  },
];

/** Spillway's own. */
const OWN: readonly Row[] = [
  {
    name: "SPILLWAY_STORE",
    good: { "redis://r": { store: { name: "redis://r:6379" } } },
    bad: ["r:1"],
  },
  { name: "SPILLWAY_WORKERS", good: { 2: { workers: 2 } }, bad: ["0", "65", "two"] },
  { name: "SPILLWAY_SCHEMA", good: { trial: { schema: "trial" } }, bad: [] },
  {
    name: "SPILLWAY_WHEN_UNAVAILABLE",
    good: { open: { whenUnavailable: "open" }, error: { whenUnavailable: "error" } },
    bad: ["opne", "OPEN"],
  },
  {
    name: "SPILLWAY_DRAIN",
    good: {
      "10s": { drain: 10_000 },
      "1m30s": { drain: 90_000 },
      0: { drain: 0 },
      "0s": { drain: 0 },
    },
    bad: ["10", "-1s", "2h", "soon", "00x"],
  },
  { name: "SPILLWAY_INSTANCES", good: { 3: { instances: 3 } }, bad: ["0", "many"] },
  { name: "SPILLWAY_DEADLINE", good: { 75: { deadline: 75 } }, bad: ["0", "75ms"] },
  { name: "SPILLWAY_MAX_KEYS", good: { 10: { maxKeys: 10 } }, bad: ["0", "1e6"] },
  { name: "SPILLWAY_MAX_CONNECTIONS", good: { 10: { maxConnections: 10 } }, bad: ["0", "none"] },
  {
    name: "SPILLWAY_ALLOW_ORIGIN",
    good: { "https://a.example, *": { allowOrigin: ["https://a.example", "*"] } },
    bad: ["a.example", "https://a.example/", "null", ","],
  },
  {
    name: "SPILLWAY_GRPC_MAX_MESSAGE",
    good: { 1024: { grpcMaxMessage: 1024 } },
    bad: ["1", "1MiB"],
  },
  { name: "SPILLWAY_METRICS_PORT", good: { 1: { metrics: { port: 1 } } }, bad: PORTS },
  { name: "SPILLWAY_METRICS_HOST", good: { "::": { metrics: { host: "::" } } }, bad: [] },
  { name: "SPILLWAY_LOG_REFUSALS", good: { 5: { logRefusals: 5 } }, bad: ["0", "all"] },
  boolean("SPILLWAY_LOG_KEYS", { logKeys: true }, { logKeys: false }),
  {
    name: "SPILLWAY_SENTINEL_PASSWORD",
    beside: { REDIS_SENTINEL_AUTH: "other:one", ...SENTINELS },
    good: { "a:b": { sentinels: { username: undefined, password: "a:b" } } },
    bad: [],
  },
  {
    name: "SPILLWAY_ADMIN_PORT",
    beside: { SPILLWAY_ADMIN_TOKEN: TOKEN },
    good: { 0: { adminPort: 0 } },
    bad: PORTS,
  },
  { name: "SPILLWAY_ADMIN_HOST", good: { "::1": { adminHost: "::1" } }, bad: [] },
  { name: "SPILLWAY_ADMIN_SOCKET", good: { "a.sock": { adminSocket: "a.sock" } }, bad: [] },
  { name: "SPILLWAY_ADMIN_TOKEN_FILE", good: { token: { adminTokenFile: "token" } }, bad: [] },
  {
    name: "SPILLWAY_ADMIN_READ_TOKEN_FILE",
    good: { token: { adminReadTokenFile: "token" } },
    bad: [],
  },
  {
    name: "SPILLWAY_ADMIN_READ_TOKEN",
    good: { [TOKEN]: { adminReadToken: TOKEN } },
    bad: BAD_TOKENS,
    empty: "bad",
  },
  { name: "SPILLWAY_AUDIT_FILE", good: { "a.jsonl": { auditFile: "a.jsonl" } }, bad: [] },
  ...(["admin", "store", "metrics"] as const).map(
    (which): Row => ({
      name: `SPILLWAY_${which.toUpperCase()}_TOKEN`,
      good: { [TOKEN]: { tokens: { [`${which}Token`]: TOKEN } } },
      bad: BAD_TOKENS,
      empty: "bad",
    }),
  ),
];

const ROWS = [...UPSTREAM, ...OWN];

function environmentOf({ name, beside }: Row, text?: string): Env {
  return text === undefined ? { ...beside } : { ...beside, [name]: text };
}

describe.each(ROWS)("$name", (row) => {
  const { name, good, bad, empty } = row;

  it("does what it says", () => {
    for (const [text, settings] of Object.entries(good)) {
      expect(settingsFrom([], environmentOf(row, text)), text).toMatchObject(settings);
    }
  });

  it("stops the start where it can't be meant", () => {
    for (const text of bad) {
      const read = () => settingsFrom([], environmentOf(row, text));
      expect(read, text).toThrow(expect.objectContaining({ code: expect.stringMatching(/^bad-/) }));
    }
  });

  it("is not set where it is empty", () => {
    const read = () => settingsFrom([], environmentOf(row, ""));
    if (empty === "bad") expect(read).toThrow();
    else if (empty !== undefined) expect(read()).toMatchObject(empty);
    else expect(read()).toEqual(settingsFrom([], environmentOf(row)));
  });

  it("is read, and said to be", () => {
    const asked = new Set<string | symbol>();
    const get = (env: Env, key: string) => {
      asked.add(key);
      return env[key];
    };
    settingsFrom([], new Proxy(environmentOf(row), { get }));
    expect([...asked]).toContain(name);
    expect(UNDERSTOOD.has(name)).toBe(UPSTREAM.includes(row));
    expect(MEANINGLESS.has(name)).toBe(false);
  });
});

it("the table has all that are understood, and all options' own", () => {
  const table = ROWS.map(({ name }) => name);
  expect(UPSTREAM.map(({ name }) => name)).toEqual([...UNDERSTOOD.keys()]);
  const variables = serveOptions().map((option) => (option as VariableOption).variable);
  for (const name of variables) if (name !== undefined) expect(table).toContain(name);
  expect(new Set(table).size).toBe(table.length);
});

it("an option overrides its variable, whatever that says", () => {
  const env = { PORT: "http", SHADOW_MODE: "yes", SPILLWAY_STORE: "nowhere", REDIS_TLS: "yes" };
  const args = ["--port", "1", "--shadow", "--store", "memory"];
  expect(settingsFrom(args, env)).toMatchObject({
    port: 1,
    settings: { shadow: true },
    store: "memory",
  });
});

describe.each(["GRPC_CLIENT_TLS_CACERT", "GRPC_CLIENT_TLS_SAN"])("%s, empty", (name) => {
  const all = ["--tls-cert", "c.pem", "--tls-key", "k.pem", "--tls-client-ca", "ca.pem"];
  const without = name === "GRPC_CLIENT_TLS_SAN" ? all : all.slice(0, 4);

  it("stops the start where there are certificates, for it would let in more clients", () => {
    expect(() => settingsFrom(without, { [name]: "" })).toThrow(`${name} is empty`);
  });

  it("does not where an option says it, nor where nothing is served by TLS", () => {
    settingsFrom([...all, "--tls-client-san", "envoy.mesh"], { [name]: "" });
    settingsFrom([], { [name]: "" });
  });
});

describe("a store that only upstream's environment names", () => {
  it.each([
    [{ REDIS_URL: "redis:6379", REDIS_TLS: "1", REDIS_AUTH: "pw" }, "rediss", "pw"],
    [{ REDIS_URL: "redis://redis/0", REDIS_TLS: "1", REDIS_AUTH: "pw" }, "rediss", "pw"],
    [{ REDIS_URL: "redis://:own@redis/0", REDIS_AUTH: "pw" }, "redis", "own"],
    [{ REDIS_URL: "rediss://redis/0" }, "rediss", undefined],
  ])("%j is reached as all of it says", (env, scheme, password) => {
    const { store } = settingsFrom([], env);
    expect(store).toMatchObject({ tls: scheme === "rediss", password });
  });

  it.each([
    { BACKEND_TYPE: "redis" },
    { REDIS_TYPE: "CLUSTER" },
    { REDIS_SOCKET_TYPE: "tcp" },
    { REDIS_AUTH: "pw" },
    { REDIS_TLS: "true" },
    { REDIS_TYPE: "CLUSTER", REDIS_URL: "redis://one:6379" },
  ])("%j is no store, and not memory either", (env) => {
    expect(() => settingsFrom([], env)).toThrow(/REDIS_URL/);
    expect(settingsFrom(["--store", "memory"], env).store).toBe("memory");
  });

  it("is not left in plaintext by another one where it was to be reached by TLS", () => {
    const env = { REDIS_URL: "redis:6379", REDIS_TLS: "true" };
    expect(() => settingsFrom(["--store", "redis://other"], env)).toThrow(/REDIS_TLS is true/);
    const own = { ...env, SPILLWAY_STORE: "redis://other" };
    expect(() => settingsFrom([], own)).toThrow(/bad-store|REDIS_TLS is true/);
    expect(settingsFrom(["--store", "rediss://other"], env).store).toMatchObject({ tls: true });
  });

  it("is warned of where another one is named, by what does nothing", () => {
    const env = { REDIS_URL: "redis:6379", REDIS_AUTH: "pw", BACKEND_TYPE: "", REDIS_TLS: "false" };
    const names = ["REDIS_URL", "REDIS_AUTH", "REDIS_TLS"];
    expect(settingsFrom([], env).unusedOfStore).toEqual([]);
    expect(settingsFrom(["--store", "memory"], env).unusedOfStore).toEqual(names);
    const own = { ...env, SPILLWAY_STORE: "redis://other" };
    expect(settingsFrom([], own).unusedOfStore).toEqual(names);
    expect(settingsFrom(["--store", "memory"], {}).unusedOfStore).toEqual([]);
  });

  it("is the one that an option or a variable of Spillway's names, where there is one", () => {
    const env = { REDIS_URL: "redis:6379", SPILLWAY_STORE: "memory" };
    expect(settingsFrom([], env).store).toBe("memory");
    expect(settingsFrom([], { REDIS_URL: "redis:6379", SPILLWAY_STORE: "" }).store).toMatchObject({
      name: "redis://redis:6379",
    });
  });
});

describe("options", () => {
  it.each([
    ["--shadow=false"],
    ["--shadow=true"],
    ["--log-keys=no"],
    ["--upstream-metrics=1"],
    ["--merge-domains=false"],
    ["--grpc-host", ""],
    ["--metrics-host", ""],
    ["--host", ""],
    ["--tls-cert", ""],
    ["--tls-key", ""],
    ["--tls-client-ca", ""],
    ["--tls-client-san", ".mesh"],
    ["--when-unavailable", "close"],
    ["--grpc-grace", "0s"],
    ["--drain", "61m"],
    ["--grpc-port", "-1"],
    ["--metrics-port", ""],
    ["--log-level", ""],
    ["--port"],
  ])("%j %j are refused", (...args) => {
    expect(() => settingsFrom(args)).toThrow();
  });
});

describe("a process", () => {
  inDirectory();

  it.each([
    [
      ["serve"],
      { SHADOW_MODE: "yes" },
      /^bad-variable SHADOW_MODE is "yes"\. Expected true, 1, t, /,
    ],
    [["check"], { MERGE_DOMAIN_CONFIG: "yes" }, /^bad-variable MERGE_DOMAIN_CONFIG is "yes"/],
    [
      ["serve"],
      { SPILLWAY_ADMIN_TOKEN: "secret" },
      /^bad-token SPILLWAY_ADMIN_TOKEN has 6 characters, /,
    ],
    [["serve"], { SPILLWAY_ADMIN_TOKEN: "" }, /^bad-token SPILLWAY_ADMIN_TOKEN has 0 characters, /],
  ])("%j with %j does not begin", async ([name = ""], env, message) => {
    expect(await complaint([name, rules], env)).toMatch(message);
  });

  it("says once for all workers what is wrong", async () => {
    const args = ["serve", rules, "--workers", "2", "--store", "sqlite:limits.db"];
    const said = await complaint(args, { QUOTA_MODE: "maybe" });
    expect(said.match(/bad-variable/g)).toHaveLength(1);
  });

  it("says aloud that nothing is enforced", async () => {
    const env = { PORT: "0", SHADOW_MODE: "true", QUOTA_MODE: "T", LOG_LEVEL: "warn" };
    const command = run(["serve", rules], env);
    await command.complains(/ spillway: shadow mode .* every request passes$/m);
    await command.complains(/ spillway: quota mode /m);
  });

  it("shows each variable beside its option", async () => {
    const command = run(["serve", "--help"], { PORT: "http" });
    expect(await command.ended()).toBe(0);
    const help = command.stdout.replace(/\s+/g, " ");
    for (const option of serveOptions()) {
      const { variable } = option as VariableOption;
      if (variable !== undefined) expect(help).toContain(`env: ${variable})`);
    }
  });
});
