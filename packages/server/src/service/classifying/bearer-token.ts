/**
 * Returns the credentials of a header `Authorization` with the scheme `Bearer`, by RFC 6750. Pure.
 *
 * Undefined if there is no such header, or one of another scheme. Whether it is a token at all is
 * decided when it is verified.
 */
export function credentialsIn(header: string | undefined): string | undefined {
  if (header === undefined || !/^bearer(?:\s|$)/i.test(header)) return undefined;
  return header.slice("bearer".length).trim();
}
