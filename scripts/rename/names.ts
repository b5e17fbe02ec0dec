/** Names of the packages, and the mistakes that they can have. */

/** How programs import the library, and how the service is installed. */
export type Names = { readonly library: string; readonly server: string };

/** What npm takes: lower case, and a scope if there is one. */
const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;

/** Longest name that npm takes, in characters. */
const LONGEST = 214;

/** What keeps new names from being used; undefined if nothing does. */
export function mistakeIn({ library, server }: Names): string | undefined {
  for (const name of [library, server]) {
    if (NAME.test(name) && name.length <= LONGEST) continue;
    return `"${name}" is no name of a package: expected lower case such as "@acme/spillway"`;
  }
  return library === server ? `both packages would be "${library}": expected two names` : undefined;
}

/** A text as a pattern that finds just it. */
export function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}

/** The start of the file that `npm pack` writes: `@acme/spillway` becomes `acme-spillway`. */
export function fileOf(name: string): string {
  return name.replace("@", "").replace("/", "-");
}
