/** Certificates for tests, made by openssl: an authority, and what it signs. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../support/temporary.ts";

export type Pair = { readonly key: Buffer; readonly cert: Buffer };

export type Certificates = {
  readonly authority: Buffer;
  readonly server: Pair;
  readonly client: Pair;
  /** Where they are: `server.key`, `server.crt` and so on. */
  readonly directory: string;
};

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
const BY_AUTHORITY = ["-CA", "ca.crt", "-CAkey", "ca.key"];

function openssl(cwd: string, args: readonly string[]): void {
  execFileSync("openssl", args, { cwd, stdio: "ignore" });
}

/** An authority of its own, a server's certificate for this machine, and a client's. */
export function certificates(directory = temporaryDirectory()): Certificates {
  const authority = authorityIn(directory);
  const alternatives = "DNS:localhost,IP:127.0.0.1";
  const [server, client] = ["server", "client"].map((name) =>
    certificateFor(directory, { name, alternatives }),
  ) as [Pair, Pair];
  return { authority, server, client, directory };
}

/** Makes an authority, whose files are in a directory then; returns its certificate. */
export function authorityIn(directory: string): Buffer {
  const files = ["-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=authority"];
  openssl(directory, ["req", "-x509", ...KEY, ...files]);
  return readFileSync(join(directory, "ca.crt"));
}

/** Whom a certificate is for: the common name of its subject, and alternative names as openssl takes them. */
export type Subject = { readonly name: string; readonly alternatives: string };

/** Another certificate of the authority in a directory, which is in `name.key` and `name.crt` there. */
export function certificateFor(directory: string, { name, alternatives }: Subject): Pair {
  const subject = ["-subj", `/CN=${name}`];
  const names = alternatives === "" ? [] : ["-addext", `subjectAltName=${alternatives}`];
  const files = ["-keyout", `${name}.key`, "-out", `${name}.crt`];
  openssl(directory, ["req", "-x509", ...KEY, ...BY_AUTHORITY, ...files, ...subject, ...names]);
  const read = (kind: string) => readFileSync(join(directory, `${name}.${kind}`));
  return { key: read("key"), cert: read("crt") };
}
