/** The certificates of gRPC, read from files, and again when these change. */
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { printable } from "spillway/core";
import type { Log } from "../telemetry/index.ts";
import type { GrpcServer, TlsOptions } from "../transports/envoy-rls/index.ts";
import { CommandError, systemMessage } from "./command-error.ts";
import type { GrpcOptions } from "./grpc-options.ts";
import { watchFiles } from "./reload/watch-files.ts";
import { checkRegular } from "./rule-files.ts";
import type { ServeEnvironment } from "./serve-environment.ts";

type Files = Pick<GrpcOptions, "tlsCert" | "tlsKey" | "tlsClientCa">;
type Wanted = Files & Pick<GrpcOptions, "tlsClientSan"> & Pick<ServeEnvironment, "useTls">;

/**
 * Refuses what contradicts itself: a service must not be less guarded than a part of its settings says. Pure.
 *
 * @throws CommandError `bad-tls`
 */
export function checkTls({ tlsCert, tlsKey, tlsClientCa, tlsClientSan, useTls }: Wanted): void {
  const isNamed = [tlsCert, tlsKey, tlsClientCa].some((path) => path !== undefined);
  if (isNamed && (tlsCert === undefined || tlsKey === undefined)) {
    throw bad("--tls-cert and --tls-key go together");
  }
  if (tlsClientSan !== undefined && tlsClientCa === undefined) {
    throw bad("--tls-client-san needs --tls-client-ca, the authority of those certificates");
  }
  if (useTls === true && !isNamed) {
    throw bad("GRPC_SERVER_USE_TLS is true, and there are no --tls-cert and --tls-key");
  }
  if (useTls === false && isNamed) {
    throw bad("GRPC_SERVER_USE_TLS is false, and there are certificates; leave out one of them");
  }
}

/** Reads certificates; undefined where none are named. @throws CommandError `bad-tls`, `unreadable-path` */
export async function readTls(
  { tlsCert, tlsKey, tlsClientCa }: Files,
  read: (path: string) => Promise<Buffer> = readBytes,
): Promise<TlsOptions | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const tls = {
    cert: await read(tlsCert),
    key: await read(tlsKey),
    ...(tlsClientCa === undefined ? {} : { ca: await read(tlsClientCa) }),
  };
  try {
    // OpenSSL takes a file without any certificate for no authority, and says nothing.
    if (tls.ca !== undefined) new X509Certificate(tls.ca);
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const where = [tlsCert, tlsKey, tlsClientCa].filter((path) => path !== undefined);
    const files = where.map((path) => printable(path)).join(", ");
    throw bad(`${files}: ${(error as Error).message}`);
  }
}

/** Uses the files as they are after a change; where they don't fit, those before stay in use. */
export async function watchTls(
  files: Files,
  { setTls, log }: Pick<GrpcServer, "setTls"> & { readonly log: Log },
): Promise<() => void> {
  const paths = [files.tlsCert, files.tlsKey, files.tlsClientCa].filter(
    (path) => path !== undefined,
  );
  return watchFiles(paths, async () => {
    try {
      const tls = await readTls(files, readRegular);
      if (tls !== undefined) setTls(tls);
      log.info("certificates have changed: new connections get the new ones");
    } catch (error) {
      log.warn(
        `certificates have changed, and those before stay in use: ${(error as Error).message}`,
      );
    }
  });
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new CommandError("unreadable-path", `${printable(path)}: ${systemMessage(error)}`);
  }
}

/** While the service runs, a pipe that nobody writes to would keep all later changes waiting. */
async function readRegular(path: string): Promise<Buffer> {
  await checkRegular(path);
  return readBytes(path);
}

function bad(why: string): CommandError {
  return new CommandError("bad-tls", why);
}
