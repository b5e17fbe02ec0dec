import { describe, expect, it } from "vitest";
import { type DescriptorEntry, match } from "../../src/index.ts";
import { rulesOf } from "../support/rules.ts";
import { descriptor } from "../support/service.ts";

const LIMIT = "rate_limit: { unit: minute, requests_per_unit: 10 }";
const shop = rulesOf(`
domain: shop
descriptors:
  - { key: plan, ${LIMIT} }
  - { key: plan, value: free, ${LIMIT} }
  - { key: plan, value: staff }
  - key: route
    value: /login
    ${LIMIT}
    descriptors:
      - { key: user, ${LIMIT} }
      - { key: user, value: root, ${LIMIT} }
  - key: route
    descriptors:
      - { key: user, ${LIMIT} }
      - { key: device, ${LIMIT} }
  - { key: a_b, value: c, ${LIMIT} }
  - { key: a, value: d_e, ${LIMIT} }
  - { key: __proto__, value: constructor, ${LIMIT} }
`).domains.get("shop");

function found(entries: readonly DescriptorEntry[]): string | undefined {
  return shop && match(shop, entries)?.rule.name;
}

function foundBy(...entries: readonly string[]): string | undefined {
  return found(descriptor(...entries).entries);
}

describe("matching", () => {
  it("prefers the value to the key alone", () => {
    expect(foundBy("plan=free")).toBe("shop/plan=free");
    expect(foundBy("plan=gold")).toBe("shop/plan");
  });

  it("lets a value without a limit go free", () => {
    expect(foundBy("plan=staff")).toBeUndefined();
  });

  it("takes an empty value for any value", () => {
    expect(foundBy("plan=")).toBe("shop/plan");
  });

  it("counts a limit only where the walk ends", () => {
    expect(foundBy("route=/login")).toBe("shop/route=%2Flogin");
    expect(foundBy("route=/login", "user=ann")).toBe("shop/route=%2Flogin/user");
    expect(foundBy("plan=free", "user=ann")).toBeUndefined();
    expect(foundBy("route=/home")).toBeUndefined();
    expect(foundBy("route=/login", "user=ann", "device=phone")).toBeUndefined();
  });

  it("never goes back to the key alone", () => {
    expect(foundBy("route=/home", "device=phone")).toBe("shop/route/device");
    expect(foundBy("route=/login", "device=phone")).toBeUndefined();
  });

  it("keeps to the order of the entries", () => {
    expect(foundBy("user=ann", "route=/login")).toBeUndefined();
  });

  it("never joins a key to a value", () => {
    expect(foundBy("a_b=c")).toBe("shop/a_b=c");
    expect(foundBy("a=b_c")).toBeUndefined();
    expect(foundBy("a_d=e")).toBeUndefined();
  });

  it("finds nothing for unknown keys, no entries, and names of JavaScript's own", () => {
    expect(foundBy("colour=red")).toBeUndefined();
    expect(found([])).toBeUndefined();
    expect(foundBy("__proto__=constructor")).toBe("shop/__proto__=constructor");
    expect(foundBy("__proto__=toString")).toBeUndefined();
    expect(foundBy("constructor=name")).toBeUndefined();
  });
});

describe("the key of a match", () => {
  const tree = rulesOf(`
domain: d
descriptors:
  - key: a
    descriptors: [{ key: b, ${LIMIT} }]
  - { key: c, value: x, ${LIMIT} }
`).domains.get("d");
  const keyOf = (...entries: readonly string[]) =>
    tree && match(tree, descriptor(...entries).entries)?.key;

  it("is what the rule leaves open, and no two lists of values make one", () => {
    const values = ["", "1", "11", "1:", ":1", "0:", "1:1", "1:11:1"];
    const keys = values.flatMap((a) => values.map((b) => keyOf(`a=${a}`, `b=${b}`)));
    expect(new Set(keys).size).toBe(values.length ** 2);
  });

  it("is missing where nothing is open", () => {
    expect(keyOf("c=x")).toBeUndefined();
  });
});
