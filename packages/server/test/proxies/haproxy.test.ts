/** `examples/proxies/haproxy.cfg` and its Lua, by a real HAProxy. */
import { describe } from "vitest";
import { limitsThrough } from "./cases.ts";
import { isInstalled } from "./proxied.ts";

describe.skipIf(!isInstalled("haproxy"))("HAProxy (skipped where it is not installed)", () => {
  limitsThrough({
    command: "haproxy",
    files: ["haproxy.cfg", "haproxy.lua"],
    args: (config) => ["-db", "-f", config],
  });
});
