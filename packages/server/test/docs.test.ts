import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  COMMAND_CODES,
  PROGRAM_RULE_CODES,
  REQUEST_CODES,
  RULE_CODES,
  RULE_WARNING_CODES,
} from "../src/error-codes.ts";
import { rulesOf } from "./support/rules.ts";
import { send, serve } from "./support/service.ts";

const ROOT = new URL("../../../", import.meta.url);
const page = ["errors", "http-api", "rules", "envoy", "proxies"]
  .map((name) => readFileSync(new URL(`docs/service/${name}.md`, ROOT), "utf8"))
  .join("\n");
const example = readFileSync(new URL("examples/rules.yaml", ROOT), "utf8");

/** What stands between a heading and the next. */
function section(heading: string): string {
  return page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
}

/** The fenced blocks of a language. */
function blocks(language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(
    ([, block = ""]) => block,
  );
}

/** The first cells of a section's tables. */
function listed(heading: string): readonly string[] {
  return [...section(heading).matchAll(/^\| `([^`]+)` +\|/gm)].map(([, code = ""]) => code);
}

describe("docs/service", () => {
  it.each([
    ["Rule files that are wrong", RULE_CODES],
    ["Rule files that may not mean what they say", RULE_WARNING_CODES],
    ["Rules that are not for programs", PROGRAM_RULE_CODES],
    ["Requests without a decision", REQUEST_CODES],
    ["Commands that can't begin", COMMAND_CODES],
  ])("explains every code under %j, and no other", (heading, codes) => {
    expect(listed(heading)).toEqual([...codes]);
  });

  it("shows rules that are rules", () => {
    // A configuration of Envoy names the types of its own messages, or what a route or filter has.
    const ofEnvoy = /type\.googleapis\.com\/envoy|^(?:rate_limits|http_service):/m;
    const shown = blocks("yaml").filter((block) => !ofEnvoy.test(block));
    expect(shown.length).toBeGreaterThan(0);
    for (const block of shown) expect(rulesOf(block).domains.size).toBe(1);
  });

  it("shows requests that are answered", async () => {
    const server = await serve(example);
    const curls = blocks("sh").flatMap((block) => [
      ...block.matchAll(/localhost:8080(\/\S+).*? -d '([^']+)'/gs),
    ]);
    expect(curls.map(([, path]) => path)).toEqual([
      "/v1/limit",
      "/v1/check",
      "/v1/acquire",
      "/v1/release",
      "/v1/value",
      "/v1/settle",
      "/v1/block",
      "/v1/unblock",
      "/v1/reset",
      "/json",
    ]);
    for (const [, path = "", body] of curls) {
      expect((await send(server, path, body)).status).toBe(200);
    }
  });
});
