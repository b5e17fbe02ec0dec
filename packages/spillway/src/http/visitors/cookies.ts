/** One cookie: how it is found among others, and how it is set. */
import { badOption, checkFlag, checkOptions } from "../../internal/index.ts";

/** How the cookie is called, and where browsers send it. */
export type CookieOptions = {
  /** Default: `"__Host-visitor"`, which no other host can set. */
  readonly name?: string;
  /** Whether it is sent over TLS only. Default: true. Browsers take localhost for safe. */
  readonly secure?: boolean;
  /** Whether requests that other sites cause carry it. Default: `"Lax"`. */
  readonly sameSite?: "Strict" | "Lax" | "None";
};

/** The same, complete. */
export type Cookie = Required<CookieOptions>;

/** A token (RFC 6265, 4.1.1). */
const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,100}$/;

/** @throws SpillwayError `bad-option`, `unknown-field` */
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

/** The value of the first cookie of that name in a `Cookie` header. Pure. */
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

/** A `Set-Cookie` header. Scripts can't read the cookie. Pure. */
export function writeCookie({ name, secure, sameSite }: Cookie, value: string, maxAge: number) {
  const attributes = ["Path=/", `Max-Age=${Math.floor(maxAge / 1000)}`, "HttpOnly"];
  if (secure) attributes.push("Secure");
  return [`${name}=${value}`, ...attributes, `SameSite=${sameSite}`].join("; ");
}
