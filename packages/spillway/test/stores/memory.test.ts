import { describe, test } from "vitest";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { conformance, shareConformance } from "../../src/testing/index.ts";

describe("the memory store conforms", () => {
  for (const { name, run } of conformance((clock) => memoryStore({ clock }))) test(name, run);
  // Beside itself, but for the vectors: that each run gives the same answers costs nothing to know.
  for (const { name, run } of shareConformance((clock) => memoryStore({ clock }), { seeds: 2 }))
    test(name, run);
});
