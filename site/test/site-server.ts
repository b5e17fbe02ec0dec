/** The built site under a sub-path, as a static host would send it, with its policy as a header too. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { DIST, POLICY } from "../build/index.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
};

/** Files do not change while tests run. */
const CACHED = { "Cache-Control": "max-age=3600" };

const PREFIX = "/a/sub-path/";

/** Listens on a free port. `base` is the address of the site. */
export async function siteServer() {
  const server = createServer(({ url = "" }, response) => {
    const file = fileOf(decodeURIComponent(new URL(url, "http://site").pathname));
    if (file === undefined) return void response.writeHead(404).end();
    const type = TYPES[extname(file)] ?? "text/plain; charset=utf-8";
    response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": POLICY, ...CACHED });
    response.end(readFileSync(file));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((closed) => server.close(closed));
  return { base: `http://127.0.0.1:${port}${PREFIX}`, close };
}

function fileOf(path: string): string | undefined {
  if (!path.startsWith(PREFIX)) return undefined;
  const file = join(DIST, path.slice(PREFIX.length));
  const candidates = [join(file, "index.html"), file, `${file}.html`];
  return candidates.find((one) => existsSync(one) && statSync(one).isFile());
}
