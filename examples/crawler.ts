/**
 * A crawler that is welcome: two requests at a time to each host, no faster than a host allows, and what
 * people wait for comes before what nobody does.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RateLimiter } from "spillway";
import { limitedFetch } from "spillway/client";
import { limited } from "spillway/node";

const crawl = limitedFetch(fetch, { concurrency: 2, wait: 60_000 });

/** Follows the links of a site, page after page; resolves with all paths. */
export async function crawled(site: string): Promise<readonly string[]> {
  const found = new Set<string>(["/"]);
  const visit = async (path: string): Promise<void> => {
    const response = await crawl(site + path, { spillway: { priority: "background" } });
    const links = (await response.text()).split(" ").filter((link) => link.startsWith("/"));
    const fresh = links.filter((link) => !found.has(link));
    for (const link of fresh) found.add(link);
    await Promise.all(fresh.map(visit));
  };
  await visit("/");
  return [...found].toSorted();
}

/** A site of ten pages that allows five a second, and counts what it has to refuse. */
async function site() {
  const limiter = new RateLimiter({ pages: { kind: "token bucket", rate: 5, period: "1s" } });
  const pages = Array.from({ length: 9 }, (_, page) => `/page-${page + 1}`).join(" ");
  const seen = { served: 0, refused: 0, most: 0 };
  let underWay = 0;
  const page = limited(limiter, { limit: "pages" }, (request, response) => {
    setTimeout(() => response.end(request.url === "/" ? pages : "nothing"), 5);
  });
  const server = createServer((request, response) => {
    seen.most = Math.max(seen.most, ++underWay);
    response.once("close", () => {
      underWay--;
      seen[response.statusCode === 200 ? "served" : "refused"]++;
    });
    page(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export async function story(): Promise<string[]> {
  const { server, seen, url } = await site();
  const paths = await crawled(url);
  server.close();
  return [
    `${paths.length} pages found, ${seen.served} served`,
    `at most ${seen.most} at a time, ${seen.refused} refused`,
  ];
}

if (import.meta.main) console.log((await story()).join("\n"));
