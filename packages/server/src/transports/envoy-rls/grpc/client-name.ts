/** Checks the name in the certificate of a client, in addition to its authority. */
import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/**
 * A DNS name as certificates have it. A leading dot is invalid, because OpenSSL reads it as any
 * label.
 */
const DNS_NAME = /^(?!.*-(?:\.|$))(?:[a-z0-9_][a-z0-9_-]{0,62}\.)*[a-z0-9_][a-z0-9_-]{0,62}$/i;

/** Whether a certificate can be checked for a text: it is a DNS name or an IP address. Pure. */
export function isClientName(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && DNS_NAME.test(text));
}

/**
 * Whether a certificate was issued to a name, by its DNS names or IP addresses. The common name of
 * its subject does not count, because authorities need not verify it. A `*` stands for one whole
 * label. Pure.
 */
export function isMadeOutTo(name: string, certificate: X509Certificate | undefined): boolean {
  if (certificate === undefined) return false;
  if (isIP(name) !== 0) return certificate.checkIP(name) !== undefined;
  return certificate.checkHost(name, { subject: "never", partialWildcards: false }) !== undefined;
}
