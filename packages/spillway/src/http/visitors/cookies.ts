/** Reads one cookie among others, and writes it. */
import { badOption, checkFlag, checkOptions } from "../../internal/index.ts";

/** The cookie's name, and when browsers send it. */
export type CookieOptions = {
  /** Default: `"__Host-visitor"`, which no other host can set; `"visitor"` if `secure` is false. */
  readonly name?: string;
  /**
   * Whether the cookie is sent over TLS only. Default: true. Browsers also send it to localhost.
   */
  readonly secure?: boolean;
  /** Whether browsers send it with requests that other sites cause. Default: `"Lax"`. */
  readonly sameSite?: "Strict" | "Lax" | "None";
};

/** The same options, with defaults. */
export type Cookie = Required<CookieOptions>;

/** A token (RFC 6265, 4.1.1). */
const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,100}$/;

/** Checks the options and adds defaults. @throws SpillwayError `bad-option`, `unknown-field` */
export function checkedCookie(options: CookieOptions = {}): Cookie {
  checkOptions("the cookie", options, ["name", "secure", "sameSite"]);
  const { secure = true, sameSite = "Lax" } = options;
  const { name = secure ? "__Host-visitor" : "visitor" } = options;
  checkFlag("secure", secure);
  if (typeof name !== "string" || !NAME.test(name))
    throw badOption("name", name, "a cookie's name");
  if (!["Strict", "Lax", "None"].includes(sameSite)) {
    throw badOption("sameSite", sameSite, '"Strict", "Lax" or "None"');
  }
  const needsTls = /^__(?:Host|Secure)-/i.test(name) || sameSite === "None";
  if (needsTls && !secure) throw badOption("secure", secure, `true, for ${name} and ${sameSite}`);
  return { name, secure, sameSite };
}

/**
 * Returns the value of the first cookie of a name in a `Cookie` header; undefined if there is none.
 * Pure.
 */
export function readCookie(header: string | null | undefined, name: string): string | undefined {
  if (typeof header !== "string") return undefined;
  const start = `${name}=`;
  for (let at = header.indexOf(start); at >= 0; at = header.indexOf(start, at + 1)) {
    const before = header.slice(0, at).trimEnd();
    if (before !== "" && !before.endsWith(";")) continue;
    const end = header.indexOf(";", at);
    return header.slice(at + start.length, end < 0 ? undefined : end).trimEnd();
  }
  return undefined;
}

/**
 * Returns a `Set-Cookie` header. `maxAge` is in milliseconds. Scripts can't read the cookie. Pure.
 */
export function writeCookie({ name, secure, sameSite }: Cookie, value: string, maxAge: number) {
  const attributes = ["Path=/", `Max-Age=${Math.floor(maxAge / 1000)}`, "HttpOnly"];
  if (secure) attributes.push("Secure");
  return [`${name}=${value}`, ...attributes, `SameSite=${sameSite}`].join("; ");
}
