/** What needs VitePress. */
export { buildSite } from "./build-site.ts";
export { showSite } from "./show.ts";
