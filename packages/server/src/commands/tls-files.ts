/** The certificates of gRPC, read from files, and again when these change. */
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { printable } from "spillway/core";
import type { Log } from "../telemetry/index.ts";
import type { GrpcServer, TlsOptions } from "../transports/envoy-rls/index.ts";
import { CommandError, systemMessage } from "./command-error.ts";
import type { GrpcOptions } from "./grpc-options.ts";
import { watchFiles } from "./reload/watch-files.ts";

type Files = Pick<GrpcOptions, "tlsCert" | "tlsKey" | "tlsClientCa">;

/** Reads certificates; undefined where none are named. @throws CommandError `bad-tls` */
export async function readTls(files: Files): Promise<TlsOptions | undefined> {
  const { tlsCert, tlsKey, tlsClientCa } = files;
  if (tlsCert === undefined && tlsKey === undefined && tlsClientCa === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new CommandError("bad-tls", "--tls-cert and --tls-key go together");
  }
  const tls = {
    cert: await read(tlsCert),
    key: await read(tlsKey),
    ...(tlsClientCa === undefined ? {} : { ca: await read(tlsClientCa) }),
  };
  try {
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const where = [tlsCert, tlsKey, tlsClientCa].filter((path) => path !== undefined);
    const files = where.map((path) => printable(path)).join(", ");
    throw new CommandError("bad-tls", `${files}: ${(error as Error).message}`);
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
      const tls = await readTls(files);
      if (tls !== undefined) setTls(tls);
      log.info("certificates have changed: new connections get the new ones");
    } catch (error) {
      log.warn(
        `certificates have changed, and those before stay in use: ${(error as Error).message}`,
      );
    }
  });
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new CommandError("unreadable-path", `${printable(path)}: ${systemMessage(error)}`);
  }
}
