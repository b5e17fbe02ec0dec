/** The pages of the site, made of the repository's. */
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import {
  addressOf,
  deadLinks,
  outlined,
  pagesOf,
  readRepository,
  sidebarOf,
} from "../build/index.ts";

const repository = readRepository();
const pages = pagesOf(repository);
const docs = [...repository.keys()].filter((path) => /^docs\/.+\.md$/.test(path));

const FENCES = /^```[\s\S]*?^```/gm;

describe("the pages", () => {
  it("are all of docs, with their code as it is there", () => {
    expect(docs.length).toBeGreaterThan(100);
    for (const path of docs) {
      const page = pages.get(addressOf(path)) ?? "";
      expect([path, page.match(FENCES)]).toEqual([path, repository.get(path)?.match(FENCES)]);
    }
  });

  it("link to pages of the site only", () => {
    for (const [address, text] of pages) {
      if (address.startsWith("source/")) continue;
      const prose = text.replace(FENCES, "").replace(/`[^`\n]+`/g, "");
      for (const [, target = ""] of prose.matchAll(/\]\(([^)#?\s]+)[^)]*\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const found = posix.join(posix.dirname(address), decodeURI(target));
        expect([address, target, pages.has(found)]).toEqual([address, target, true]);
      }
    }
  });

  it("show source files that pages link to, also those with fences of their own", () => {
    expect(pages.get("source/examples/crawler.ts.md")).toContain("```ts\n");
    const tree = new Map([
      ["docs/a.md", "[b](../b.md.txt) [c](../c)"],
      ["b.md.txt", "````\ncode\n````"],
      ["c/d.ts", "1"],
    ]);
    const made = pagesOf(tree);
    expect(made.get("a.md")).toBe("[b](./source/b.md.txt.md) [c](./source/c/index.md)");
    expect(made.get("source/b.md.txt.md")).toContain("`````txt\n````\ncode");
    expect(made.get("source/c/index.md")).toContain("[d.ts](./d.ts.md)");
  });
});

it("links in code stay as they are", () => {
  const page = "`[b](../b.ts)` [b](../b.ts)\n\n```md\n[b](../b.ts)\n```\n";
  const made = pagesOf(
    new Map([
      ["docs/a.md", page],
      ["b.ts", ""],
    ]),
  );
  expect(made.get("a.md")).toBe(page.replace(" [b](../b.ts)", " [b](./source/b.ts.md)"));
});

it("the navigation has the rows of docs/README.md, in their order", () => {
  const groups = sidebarOf(repository);
  const headings = repository.get("docs/README.md")?.match(/^## .+$/gm);
  expect(groups.map(({ text }) => `## ${text}`)).toEqual(headings);
  const links = groups.flatMap(({ items = [] }) =>
    items.flatMap(({ link, items: inner = [] }) => [link, ...inner.map((item) => item.link)]),
  );
  for (const link of links.filter((one) => one !== undefined)) {
    const [, route = ""] = /^\/(.*)$/.exec(link) ?? [];
    expect([link, pages.has(`${route}.md`) || pages.has(`${route}index.md`)]).toEqual([link, true]);
  }
  expect(links[0]).toBe("/recipes/login-protection");
});

describe("the policy", () => {
  const page = (body: string) => `<head><meta charset="utf-8"></head>${body}`;

  it("moves scripts out of a page", () => {
    const { html, scripts } = outlined(page("<script>go()</script>"), "../");
    expect([...scripts.values()]).toEqual(["go()"]);
    expect(html).toContain(`<script src="../${[...scripts.keys()][0]}"></script>`);
    expect(html).toContain("default-src 'none'");
    expect(html).not.toContain("unsafe");
  });

  it("refuses to build a page with a style of its own", () => {
    expect(() => outlined(page('<p style="color:red">'), "")).toThrow('style="color:red"');
  });
});

describe("the check of links", () => {
  const built = (html: string) => ({
    pages: new Map([
      ["a.html", html],
      ["b/index.html", '<h2 id="here">'],
    ]),
    files: new Set(["a.html", "b/index.html", "c.svg"]),
  });

  it.each(["./b/", "b/index.html#here", "c.svg", "https://example.com/x", "#own"])(
    "%s leads somewhere",
    (target) => {
      expect(deadLinks(built(`<a id="own" href="${target}">`))).toEqual([]);
    },
  );

  it.each(["b.html", "b/#there", "/a.html", "../a.html", "#none"])("%s leads nowhere", (target) => {
    expect(deadLinks(built(`<a href="${target}">`))).toHaveLength(1);
  });
});
