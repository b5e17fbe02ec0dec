import { describe, test } from "vitest";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { conformance } from "../../src/testing/index.ts";

describe("the memory store conforms", () => {
  for (const { name, run } of conformance((clock) => memoryStore({ clock }))) test(name, run);
});
