import { describe, expect, it } from "vitest";
import { connectTo, statusesOf } from "../../support/raw.ts";
import { proxyTo, rawUpstream } from "./scene.ts";
import { SMUGGLING } from "./smuggling.ts";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** Whether a request with a body, or none, has arrived whole. */
function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /^content-length: (\d+)\r$/im.exec(text)?.[1];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return !/^transfer-encoding/im.test(text) || text.endsWith("0\r\n\r\n");
}

/** Sends bytes. Returns everything that comes back. */
async function send(url: string, bytes: string): Promise<string> {
  const socket = await connectTo({ url });
  let received = "";
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    received += text;
    if (received.endsWith("ok")) socket.end();
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(bytes, "latin1");
  await closed;
  return received;
}

describe("a request with more than one meaning", () => {
  it("has at least 30 forms", () => expect(SMUGGLING.length).toBeGreaterThanOrEqual(30));

  it.each(SMUGGLING)("$name", async ({ request, outcome }) => {
    const upstream = await rawUpstream((text, socket) => {
      if (isWhole(text)) socket.write(ANSWER);
    });
    const { url, warnings } = await proxyTo(upstream.url);
    const received = await send(url, request);
    if (typeof outcome === "number") {
      expect(statusesOf(received)).toEqual([outcome]);
      expect(received).toMatch(/^Connection: close\r$/im);
      // The head of a request whose body breaks off later may have been forwarded.
      const seen = upstream.received.join("");
      expect(isWhole(seen)).toBe(false);
      expect(seen).not.toContain("admin");
    } else {
      expect(statusesOf(received)).toEqual([200]);
      expect(upstream.received).toHaveLength(1);
      expect(upstream.received[0]).toMatch(outcome);
      expect(upstream.received[0]?.match(/ HTTP\/1\.1\r\n/g)).toHaveLength(1);
    }
    expect(warnings.filter((line) => /failed/.test(line))).toEqual([]);
  });
});
