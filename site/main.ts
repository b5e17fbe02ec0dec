/**
 * `npm run docs`: builds the site from `docs` into `site/dist`. With `-- --serve` it also serves it.
 * With `--serve` or `--if-changed` a site that was built from the same files is left as it is.
 *
 * The site's packages are installed here, and nowhere else: no user of the library needs them.
 */
import { installBeside } from "../scripts/setup/beside.ts";

await installBeside("site", "VitePress, for the site, 102 MB");
// Only now: it needs what has just been installed.
const { buildSite, showSite } = await import("./vitepress/index.ts");
const serves = process.argv.includes("--serve");
await buildSite({ ifChanged: serves || process.argv.includes("--if-changed") });
if (serves) await showSite();
