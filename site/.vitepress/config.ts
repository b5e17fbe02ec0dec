/** What VitePress needs to know of the site. Pages, links and navigation are made by `../build`. */
import { type DefaultTheme, defineConfig } from "vitepress";
import { readRepository, sidebarOf, slug } from "../build/index.ts";
import { adapt, codeClasses } from "../markdown/index.ts";

export default defineConfig({
  title: "Spillway",
  description: "Rate limiting and load shedding for TypeScript",
  lang: "en",
  srcDir: ".pages",
  outDir: "dist",
  cacheDir: "../.spillway/vitepress",
  // Any sub-path of any host: every address in a page is relative to the page.
  base: "./",
  lastUpdated: false,
  // Otherwise a style within the page, which its policy refuses.
  appearance: { disableTransition: false },
  markdown: {
    anchor: { slugify: slug },
    codeTransformers: [codeClasses()],
    config: adapt,
    languageAlias: { console: "shell", dockerignore: "text" },
  },
  themeConfig: {
    siteTitle: "Spillway",
    nav: [
      { text: "Quick start", link: "/quickstart" },
      { text: "Documentation", link: "/docs" },
      { text: "Playground", link: "/playground" },
    ],
    sidebar: [...sidebarOf(readRepository())] as DefaultTheme.SidebarItem[],
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        // Pages that show source files would drown the others.
        _render: async (source, env, markdown) =>
          env.relativePath.startsWith("source/") ? "" : markdown.renderAsync(source, env),
      },
    },
    docFooter: { prev: false, next: false },
  },
  vite: {
    // A picture within a page would be one that the policy has to allow.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
  },
});
