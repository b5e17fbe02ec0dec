/**
 * `npm run docs`: builds the site from `docs` into `site/dist`; with `-- --serve` it also serves it.
 * With `-- --if-changed` it builds only if the repository is not that of the last build.
 *
 * The site's packages are installed here, and nowhere else: no user of the library needs them.
 */
import { installBeside } from "../scripts/setup/beside.ts";

await installBeside("site", "VitePress, for the site, 102 MB");
// Only now: it needs what has just been installed.
const { buildSite, serveSite } = await import("./vitepress/index.ts");
await buildSite({ ifChanged: process.argv.includes("--if-changed") });
if (process.argv.includes("--serve")) await serveSite();
