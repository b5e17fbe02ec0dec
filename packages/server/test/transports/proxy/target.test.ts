import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTarget } from "../../../src/rules/http/normal-path.ts";
import { forwardedPath } from "../../../src/transports/proxy/target.ts";

/** Pieces of which hostile paths are made. */
const piece = fc.constantFrom(
  ...["/", "/", "a", "B", ".", "..", "%2e", "%2E%2e", "%2f", "%5C", "\\", ";x", ";", "//", "%61"],
  ...["%25", "%c3%a9", "\u00c3\u00a9", "?", "q=%2e", "&", '"', "<", "|", "~", "%7e", "%3F", "%23"],
);
const target = fc.array(piece, { maxLength: 12 }).map((all) => `/${all.join("")}`);

describe("a forwarded path", () => {
  it("means to rules what the path means that was received", () => {
    const property = fc.property(target, (received) => {
      const read = readTarget(received);
      fc.pre(read !== undefined);
      expect(readTarget(forwardedPath(received))?.readings).toEqual(read?.readings);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it("has one spelling, which stays when it is forwarded again", () => {
    const property = fc.property(target, (received) => {
      fc.pre(readTarget(received) !== undefined);
      const once = forwardedPath(received);
      expect(once).toMatch(/^\/[!$&-;=?-Z_a-z~%]*$/);
      expect(forwardedPath(once)).toBe(once);
      expect(once.split("?")[0]).not.toMatch(/\/\/|\/\.\.?(?:\/|$)/);
    });
    fc.assert(property, { numRuns: 2000 });
  });
});
