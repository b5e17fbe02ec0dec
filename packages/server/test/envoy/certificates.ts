/** Certificates for tests, made by openssl: an authority, and what it signs. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../support/temporary.ts";

export type Pair = { readonly key: Buffer; readonly cert: Buffer };

export type Certificates = {
  readonly authority: Buffer;
  readonly server: Pair;
  readonly client: Pair;
  /** Where they are: `server.key`, `server.crt` and so on. */
  readonly directory: string;
};

/** An authority of its own, a server's certificate for this machine, and a client's. */
export function certificates(): Certificates {
  const directory = temporaryDirectory();
  const openssl = (...args: readonly string[]) =>
    execFileSync("openssl", args, { cwd: directory, stdio: "ignore" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=authority");
  for (const name of ["server", "client"]) {
    const subject = [
      "-subj",
      `/CN=${name}`,
      "-addext",
      "subjectAltName=DNS:localhost,IP:127.0.0.1",
    ];
    const signed = ["-CA", "ca.crt", "-CAkey", "ca.key"];
    const files = ["-keyout", `${name}.key`, "-out", `${name}.crt`];
    openssl("req", "-x509", ...key, ...signed, ...files, ...subject);
  }
  const read = (name: string) => readFileSync(join(directory, name));
  const pair = (name: string) => ({ key: read(`${name}.key`), cert: read(`${name}.crt`) });
  return { authority: read("ca.crt"), server: pair("server"), client: pair("client"), directory };
}
