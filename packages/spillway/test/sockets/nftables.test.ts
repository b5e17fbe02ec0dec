/** The rules of `examples/connections.nft`, on a kernel: skipped where there is no nft, or no right to use it. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** In a network that has nothing but its own loopback, and ends with the program. */
function alone(script: string) {
  const setup = "ip link set lo up && nft -f $RULES";
  const env = { ...process.env, RULES: file("../../../../examples/connections.nft") };
  const options = { env, encoding: "utf8", timeout: 30_000 } as const;
  return spawnSync("unshare", ["-n", "sh", "-c", `${setup} && ${script}`], options);
}

test.skipIf(alone("true").status !== 0)(
  "an address has 40 connections at once, and a /64 as well (skipped without nft, ip or unshare -n)",
  () => {
    const child = file("./nftables-child.ts");
    const addresses = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `ip addr add fd00::${n}/64 dev lo nodad`);
    const { stdout, stderr } = alone(`${addresses.join(" && ")} && ${process.execPath} ${child}`);
    expect(stderr).toBe("");
    const { one, other, network } = JSON.parse(stdout);
    // The burst of 40, and what comes back at 20 a second while they are tried.
    expect(one).toBeGreaterThanOrEqual(40);
    expect(one).toBeLessThan(90);
    expect(network).toBeGreaterThanOrEqual(40);
    expect(network).toBeLessThan(90);
    expect(other).toBe(5);
  },
);
