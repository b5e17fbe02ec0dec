/** `examples/proxies/Caddyfile`, by a real Caddy. */
import { describe } from "vitest";
import { limitsThrough } from "./cases.ts";
import { isInstalled } from "./proxied.ts";

describe.skipIf(!isInstalled("caddy"))("Caddy (skipped where it is not installed)", () => {
  limitsThrough({
    command: "caddy",
    files: ["Caddyfile"],
    args: (config) => ["run", "--config", config, "--adapter", "caddyfile"],
  });
});
