/** The folders of the site. */
import { join } from "node:path";

export const SITE = join(import.meta.dirname, "..");

/** What is built. */
export const DIST = join(SITE, "dist");

/** The pages that VitePress reads, made anew by each build. */
export const SOURCES = join(SITE, ".pages");
