/** The pages of the site, and what is done to them once they are built. */
export { addressOf } from "./addresses.ts";
export { type BuiltSite, deadLinks } from "./check-links.ts";
export { icon } from "./icon.ts";
export { slug } from "./links.ts";
export { type Pages, pagesOf } from "./pages.ts";
export { DIST, SITE, SOURCES } from "./places.ts";
export { CODE_STYLES, ICON, outlined, POLICY } from "./policy.ts";
export { readRepository, type Tree } from "./repository.ts";
export { serveSite } from "./serve-site.ts";
export { type SidebarItem, sidebarOf } from "./sidebar.ts";
