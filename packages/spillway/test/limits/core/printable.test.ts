/** What others wrote is shown so that it can neither steer a terminal nor mislead a reader. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { display, printable } from "../../../src/limits/core/index.ts";

describe("printable", () => {
  it.each([
    ["an escape sequence", "\u001b[31mred", "\\u{1b}[31mred"],
    ["the one-byte form of it", "\u009b31m", "\\u{9b}31m"],
    ["a delete", "a\u007f", "a\\u{7f}"],
    ["a line end", "a\r\nb\tc", "a\\r\\nb\\tc"],
    ["line and paragraph separators", "\u2028\u2029", "\\u{2028}\\u{2029}"],
    ["text that runs the other way", "\u202e\u2066\u061c", "\\u{202e}\\u{2066}\\u{61c}"],
    ["what has no width", "\u200b\u200d\ufeff\u00ad", "\\u{200b}\\u{200d}\\u{feff}\\u{ad}"],
    ["tags, beyond 16 bits", "\u{e0041}", "\\u{e0041}"],
    ["half a pair", "\ud800x\udc00", "\\u{d800}x\\u{dc00}"],
  ])("shows the code of %s", (_name, text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(display(text)).toBe(`"${shown}"`);
  });

  it("leaves letters, marks and pictures as they are", () => {
    const text = 'Grüße, 日本語, שלום, 🙂 C:\\rules "x"';
    expect(printable(text)).toBe(text);
    expect(display('a"\\')).toBe('"a\\"\\\\"');
  });

  it("cuts long texts, never within a character, and says how long they are", () => {
    expect(printable("x".repeat(200))).toBe("x".repeat(200));
    expect(printable("x".repeat(1_000_000))).toBe(`${"x".repeat(200)}… (1000000 characters)`);
    expect(printable("a🙂b", 2)).toBe("a… (4 characters)");
    expect(printable("a🙂b", 3)).toBe("a🙂… (4 characters)");
    expect(printable("\n".repeat(500), Number.POSITIVE_INFINITY)).toBe("\\n".repeat(500));
  });

  it("is harmless whatever the text", () => {
    const harmful = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, longest) => {
        expect(printable(text, longest)).not.toMatch(harmful);
        expect(display(text)).not.toMatch(harmful);
      }),
    );
  });
});
