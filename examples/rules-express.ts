/**
 * An Express app whose limits are a rule file: which request meets which limit is data.
 *
 * The same file works behind nginx, in `spillway proxy`, and here.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { RateLimiter } from "spillway";
import { limited } from "spillway/express";
import { rules } from "spillway-server";

const file = new URL("./proxies/rules.yaml", import.meta.url);

export async function story(): Promise<string[]> {
  const limits = await rules(file);
  const app = express();
  app.use(limited(new RateLimiter({}), { limits }));
  app.use((_, response) => void response.send("hello"));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines: string[] = [];
  try {
    for (const path of ["/login", "/LOGIN", "/x/../login", "/login/", "/login"]) {
      const { status } = await fetch(url + path, { method: "POST" });
      lines.push(`POST ${path}: ${status}`);
    }
    const sixth = await fetch(`${url}/login`, { method: "POST" });
    lines.push(
      `the sixth: ${sixth.status}, Retry-After is there: ${sixth.headers.has("retry-after")}`,
    );
    const pro = await fetch(url, { headers: { "x-api-key": "pro_ann" } });
    lines.push(`by plan: ${pro.headers.get("ratelimit-policy")}`);
  } finally {
    limits.close();
    server.closeAllConnections();
    server.close();
  }
  return lines;
}

if (import.meta.main) console.log((await story()).join("\n"));
