/** The packages as users get them, on the oldest Node and TypeScript promised. Packed only once. */
import { afterAll, beforeAll } from "vitest";
import { contentTests } from "./content-tests.ts";
import { laterTests } from "./later-tests.ts";
import { oldestNodeTests } from "./oldest-node-tests.ts";
import { Packed } from "./packed.ts";
import { typescriptTests } from "./typescript-tests.ts";

let packed: Packed;

beforeAll(async () => {
  packed = await Packed.make();
});
afterAll(() => packed[Symbol.dispose]());

contentTests(() => packed);
laterTests(() => packed);
oldestNodeTests(() => packed);
typescriptTests(() => packed);
