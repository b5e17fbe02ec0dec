/** `examples/proxies/nginx.conf`, by a real nginx. */
import { describe } from "vitest";
import { limitsThrough } from "./cases.ts";
import { isInstalled } from "./proxied.ts";

describe.skipIf(!isInstalled("nginx"))("nginx (skipped where it is not installed)", () => {
  limitsThrough({
    command: "nginx",
    files: ["nginx.conf"],
    args: (config, directory) => ["-p", directory, "-c", config, "-g", "daemon off;"],
  });
});
