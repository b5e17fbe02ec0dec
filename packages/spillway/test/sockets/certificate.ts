/** A certificate for tests, made by openssl. */
import { execFileSync } from "node:child_process";

/** Signed by itself, for this machine; both are in what openssl prints. */
export function certificate(): { readonly key: string; readonly cert: string } {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const args = ["req", "-x509", ...key, "-keyout", "-", "-subj", "/CN=localhost"];
  const pem = execFileSync("openssl", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { key: pem, cert: pem };
}
