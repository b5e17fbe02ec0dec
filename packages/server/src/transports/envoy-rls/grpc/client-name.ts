/** The name that certificates of clients may need, beside an authority. */
import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** Labels as certificates have them, with dots between; no dot at the beginning, which OpenSSL takes for any label. */
const DNS_NAME = /^(?!.*-(?:\.|$))(?:[a-z0-9_][a-z0-9_-]{0,62}\.)*[a-z0-9_][a-z0-9_-]{0,62}$/i;

/** Whether a text is a name that a certificate can be checked for: a DNS name or an IP address. Pure. */
export function isClientName(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && DNS_NAME.test(text));
}

/**
 * Whether a certificate is made out to a name, by its DNS names or IP addresses: not by the common name of
 * its subject, which nobody has to have verified. A `*` in it stands for one whole label. Pure.
 */
export function isMadeOutTo(name: string, certificate: X509Certificate | undefined): boolean {
  if (certificate === undefined) return false;
  if (isIP(name) !== 0) return certificate.checkIP(name) !== undefined;
  return certificate.checkHost(name, { subject: "never", partialWildcards: false }) !== undefined;
}
