import { expect, test } from "vitest";
import { pictures } from "../draw/pictures.ts";
import { outdated } from "../draw.ts";

test("the pictures of docs/algorithms and docs/shedding are what the code draws", async () => {
  expect(await outdated(), "run `npm run draw`").toEqual([]);
});

test("a picture is small, and says what it shows to those who cannot see it", () => {
  for (const [file, svg] of pictures()) {
    expect(svg.length, file).toBeLessThan(20_000);
    expect(svg, file).toMatch(/<title id="title">.+<\/title>\n<desc id="desc">.+<\/desc>/);
  }
});
