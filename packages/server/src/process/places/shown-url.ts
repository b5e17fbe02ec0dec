import { display } from "spillway/support";

/**
 * A store's URL as messages may show it: quoted, and without what is, or may be, a password. Pure.
 *
 * It is for URLs that are wrong, too: what follows a colon and is no port may be a password without
 * its host.
 */
export function shownUrl(text: string): string {
  const [, scheme = "", rest = ""] = /^([a-z][a-z+]*:\/\/)?(.*)$/is.exec(text) ?? [];
  const at = rest.lastIndexOf("@");
  const place = rest.slice(at + 1).replace(UNCLEAR, (found) => hidden(found));
  return display(`${scheme}${at < 0 ? "" : "***@"}${place}`);
}

/** An IPv6 address; a colon before no port, and all after it; a query, or a fragment. */
const UNCLEAR = /\[[^\]]*\]|:(?!\d{1,5}(?:[,/]|$)).*$|[?#].*$/gs;

function hidden(found: string): string {
  return found.startsWith("[") ? found : `${found[0]}***`;
}
