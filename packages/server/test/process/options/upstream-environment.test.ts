import { describe, expect, it } from "vitest";
import {
  MEANINGLESS,
  meaninglessIn,
  runtimePaths,
  UNDERSTOOD,
} from "../../../src/process/options/upstream-environment.ts";
import { storeUrlIn } from "../../../src/process/options/upstream-store.ts";
import { toStorePlace } from "../../../src/process/places/store-location.ts";

describe("the environment of envoyproxy/ratelimit", () => {
  it("is warned of where it does nothing, by reason", () => {
    const env = {
      USE_STATSD: "true",
      STATSD_HOST: "statsd",
      REDIS_PERSECOND_URL: "r:6379",
      PORT: "1",
    };
    expect(meaninglessIn({ ...env, STATSD_PORT: "", HOME: "/root" })).toEqual([
      "REDIS_PERSECOND_URL does nothing here: one store keeps all limits",
      "STATSD_HOST, USE_STATSD do nothing here: no statistics are sent",
    ]);
  });

  it("is either understood or not", () => {
    for (const name of UNDERSTOOD.keys()) expect(MEANINGLESS.has(name)).toBe(false);
    const all = Object.fromEntries([...UNDERSTOOD.keys()].map((name) => [name, "1"]));
    expect(meaninglessIn(all)).toEqual([]);
  });

  it.each([
    [{ REDIS_URL: "redis:6379" }, "redis://redis:6379"],
    [{ REDIS_URL: "redis://redis:6379/2" }, "redis://redis:6379/2"],
    [
      { REDIS_URL: "redis:6379", REDIS_AUTH: "a@b", REDIS_TLS: "true" },
      "rediss://:a%40b@redis:6379",
    ],
    [{ REDIS_URL: "redis:6379", REDIS_AUTH: "ann:pw" }, "redis://ann:pw@redis:6379"],
    [{ REDIS_URL: "a:1,b:2", REDIS_TYPE: "CLUSTER" }, "redis+cluster://a:1,b:2"],
    [
      { REDIS_URL: "mymaster,a:1,b:2", REDIS_TYPE: "sentinel" },
      "redis+sentinel://a:1,b:2/mymaster",
    ],
    [{}, undefined],
  ])("%j is the store %s", (env, url) => {
    expect(storeUrlIn(env)).toBe(url);
    if (url !== undefined) expect(toStorePlace(url)).toBeTypeOf("object");
  });

  it("names the directory of the rules", () => {
    expect(runtimePaths({})).toEqual([]);
    expect(runtimePaths({ RUNTIME_ROOT: "/data" })).toEqual(["/data/config"]);
    const env = {
      RUNTIME_ROOT: "/data",
      RUNTIME_SUBDIRECTORY: "ratelimit",
      RUNTIME_APPDIRECTORY: "c",
    };
    expect(runtimePaths(env)).toEqual(["/data/ratelimit/c"]);
  });
});
