/** Reads sets of keys by HTTP or from files, within bounds. */
import { open } from "node:fs/promises";
import { SECOND } from "spillway/core";
import { afterDelay } from "spillway/support";
import type { JwtProvider } from "../../rules/index.ts";

/** Milliseconds for a whole answer: requests wait for it. */
const DEADLINE = 2 * SECOND;

/** The maximum number of bytes of a set of keys. */
const LARGEST = 256 * 1024;

/** Returns a set of keys as JSON. @throws Error if there is none within two seconds. */
export function readJwks(jwks: JwtProvider["jwks"]): Promise<string> {
  return "uri" in jwks ? fetchJwks(jwks.uri) : readFileWithin(jwks.file);
}

async function fetchJwks(uri: string): Promise<string> {
  const aborting = new AbortController();
  const cancel = afterDelay(DEADLINE, () => aborting.abort(new Error("no answer in time")));
  try {
    // A redirect could lead to keys of somebody else, without TLS.
    const response = await fetch(uri, { redirect: "error", signal: aborting.signal });
    if (response.status !== 200) throw new Error(`responded ${response.status}`);
    return await textWithin(response.body ?? []);
  } finally {
    cancel();
    aborting.abort();
  }
}

async function readFileWithin(file: string): Promise<string> {
  const handle = await open(file);
  try {
    if (!(await handle.stat()).isFile()) throw new Error("not a regular file");
    return await textWithin(handle.createReadStream({ autoClose: false }));
  } finally {
    await handle.close();
  }
}

async function textWithin(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > LARGEST) throw new Error(`more than ${LARGEST} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}
