/** What needs VitePress. */
export { buildSite } from "./build-site.ts";
export { serveSite } from "./serve.ts";
