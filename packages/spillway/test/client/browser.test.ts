/** A client in a real browser: skipped where there is no Chromium. */
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { limited } from "../../src/http/middleware/node/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import { chromiumPath, launch, WITHOUT } from "../chromium.ts";
import { listening } from "../http/middleware/host.ts";

/** The client, as a page loads it. */
async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL("../../src/client/index.ts", import.meta.url));
  const options = { bundle: true, write: false, format: "iife", globalName: "client" } as const;
  const { outputFiles } = await build({ entryPoints: [entry], ...options });
  return outputFiles[0]?.text ?? "";
}

test.skipIf(chromiumPath === undefined)(
  `a page is served when it comes back ${WITHOUT}`,
  async () => {
    const limiter = new RateLimiter({ api: { kind: "token bucket", rate: 1, period: "900ms" } });
    const sent: number[] = [];
    const route = { limit: "api", key: "page" } as const;
    const api = limited(limiter, route, (_, response) => void response.end("served"));
    const running = await listening(
      createServer((request, response) => {
        response.setHeader("Connection", "close");
        if (request.url !== "/api") return void response.end("<!doctype html><title>page</title>");
        // Now, however long the page took to come.
        if (sent.length === 0) limiter.limit("api", { key: "page" });
        response.once("close", () => sent.push(response.statusCode));
        api(request, response);
      }),
    );
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${running.port}/`);
      await page.addScriptTag({ content: await bundle() });
      const text = await page.evaluate(
        "client.limitedFetch(fetch)('/api').then((response) => response.text())",
      );
      expect(text).toBe("served");
      expect(sent).toEqual([429, 200]);
    } finally {
      await browser.close();
      await running.close();
    }
  },
);
