import { expect, test } from "vitest";
import { pictures } from "../../draw/pictures.ts";
import { outdated } from "../../draw.ts";

export function pictureTests(): void {
  // Simulates all scenarios: half a minute of a core that has nothing else to do.
  test("the pictures of docs/algorithms, docs/shedding and docs/shares are what the code draws", async () => {
    expect(await outdated(), "run `npm run draw`").toEqual([]);
  });

  test("a picture is small, and says what it shows to those who cannot see it", () => {
    for (const [file, svg] of pictures()) {
      expect(svg.length, file).toBeLessThan(20_000);
      expect(svg, file).toMatch(/<title id="title">.+<\/title>\n<desc id="desc">.+<\/desc>/);
    }
  });

  test("a picture needs no variables: viewers that know none would paint it black", () => {
    for (const [file, svg] of pictures()) {
      expect(svg, file).not.toContain("var(");
      const [light = "", dark = ""] = svg.split("@media (prefers-color-scheme:dark)");
      const painted = (rules: string) =>
        [...rules.matchAll(/^(\S+)\{.*#[0-9a-f]{6}/gm)].map(([, name]) => name);
      expect(painted(light).length, file).toBeGreaterThan(8);
      expect(painted(dark), file).toEqual(painted(light));
    }
  });
}
