/** Serves the built site on the loopback, as a static host would, with its policy as a header too. */
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, sep } from "node:path";
import { DIST } from "./places.ts";
import { POLICY } from "./policy.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
};

export type ServeOptions = {
  /** The port; 0 takes a free one. */
  readonly port: number;
  /** The path of the site, with a slash at both ends. */
  readonly prefix: string;
  /** How long browsers may keep files, in seconds. */
  readonly maxAge: number;
};

/** Listens on 127.0.0.1 only. `base` is the address of the site. @throws if the port is taken */
export async function serveSite({ port, prefix, maxAge }: ServeOptions) {
  const server = createServer(({ url = "" }, response) => {
    const file = fileOf({ url, prefix });
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("Cache-Control", maxAge === 0 ? "no-cache" : `max-age=${maxAge}`);
    if (file === undefined) send(response, 404, join(DIST, "404.html"));
    else send(response, 200, file);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: taken } = server.address() as AddressInfo;
  const close = () => new Promise((closed) => server.close(closed));
  return { base: `http://127.0.0.1:${taken}${prefix}`, close };
}

function send(response: ServerResponse, status: number, file: string): void {
  response.writeHead(status, {
    "Content-Type": TYPES[extname(file)] ?? "text/plain; charset=utf-8",
  });
  response.end(readFileSync(file));
}

/** The file of an address; undefined where there is none in the site. */
function fileOf({
  url,
  prefix,
}: {
  readonly url: string;
  readonly prefix: string;
}): string | undefined {
  const path = pathOf(url);
  if (path === undefined || !path.startsWith(prefix)) return undefined;
  const file = join(DIST, path.slice(prefix.length));
  const candidates = [join(file, "index.html"), file, `${file}.html`];
  return candidates.find((one) => one.startsWith(DIST + sep) && isFile(one));
}

/** Undefined for what is no address, or not well encoded. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url, "http://site").pathname);
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
