import { display } from "spillway/support";

/**
 * Formats a store's URL for messages: quoted, without anything that may be a password. Pure.
 *
 * It also works for malformed URLs: a text after a colon that is not a port may be a password
 * without its host.
 */
export function shownUrl(text: string): string {
  const [, scheme = "", rest = ""] = /^([a-z][a-z+]*:\/\/)?(.*)$/is.exec(text) ?? [];
  const at = rest.lastIndexOf("@");
  const place = rest.slice(at + 1).replace(UNCLEAR, (found) => hidden(found));
  return display(`${scheme}${at < 0 ? "" : "***@"}${place}`);
}

/**
 * An IPv6 address; a colon not followed by a port, with everything after it; a query, or a
 * fragment.
 */
const UNCLEAR = /\[[^\]]*\]|:(?!\d{1,5}(?:[,/]|$)).*$|[?#].*$/gs;

function hidden(found: string): string {
  return found.startsWith("[") ? found : `${found[0]}***`;
}
