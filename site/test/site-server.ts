/** The built site under a sub-path. */
import { serveSite } from "../build/index.ts";

/** Listens on a free port. Files do not change while tests run. */
export function siteServer() {
  return serveSite({ port: 0, prefix: "/a/sub-path/", maxAge: 3600 });
}
