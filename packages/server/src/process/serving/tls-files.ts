/** Reads the certificates for gRPC from files, and again after a change. */
import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { printable } from "spillway/support";
import type { ServiceLogger } from "../../telemetry/index.ts";
import type { GrpcServer, TlsOptions } from "../../transports/envoy-rls/index.ts";
import { CommandError } from "../command-error.ts";
import { readBytes, signatureOf, watchFiles } from "../files/index.ts";
import type { GrpcServeOptions, ServeEnvironment } from "../options/index.ts";
import { systemMessage } from "../system-message.ts";

type Files = Pick<GrpcServeOptions, "tlsCert" | "tlsKey" | "tlsClientCa">;
type TlsFileOptions = Files &
  Pick<GrpcServeOptions, "tlsClientSan"> &
  Pick<ServeEnvironment, "useTls">;

/**
 * Refuses contradictory settings: a service must be at least as protected as each of its settings
 * demands. Pure.
 *
 * @throws CommandError `bad-tls`
 */
export function checkTls({
  tlsCert,
  tlsKey,
  tlsClientCa,
  tlsClientSan,
  useTls,
}: TlsFileOptions): void {
  const isNamed = [tlsCert, tlsKey, tlsClientCa].some((path) => path !== undefined);
  if (isNamed && (tlsCert === undefined || tlsKey === undefined)) {
    throw bad("expected both --tls-cert and --tls-key, or neither");
  }
  if (tlsClientSan !== undefined && tlsClientCa === undefined) {
    throw bad(
      "--tls-client-san is set without --tls-client-ca, the authority of those " +
        "certificates; set both",
    );
  }
  if (useTls === true && !isNamed) {
    throw bad("GRPC_SERVER_USE_TLS is true, expected --tls-cert and --tls-key too");
  }
  if (useTls === false && isNamed) {
    throw bad("GRPC_SERVER_USE_TLS is false, but certificates are set; leave out one of the two");
  }
}

type ReadTlsOptions = {
  /** Whether to refuse pipes and devices, which may never deliver anything. Default: no. */
  readonly regular?: boolean;
};

/**
 * Reads certificates; undefined if none are named. @throws CommandError `bad-tls`,
 * `unreadable-path`
 */
export async function readTls(
  files: Files,
  { regular = false }: ReadTlsOptions = {},
): Promise<TlsOptions | undefined> {
  const { tlsCert, tlsKey, tlsClientCa } = files;
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const read = (path: string) => readPem({ path, regular });
  const tls = {
    cert: await read(tlsCert),
    key: await read(tlsKey),
    ...(tlsClientCa === undefined ? {} : { ca: await read(tlsClientCa) }),
  };
  try {
    // OpenSSL silently treats a file without a certificate as no authority.
    if (tls.ca !== undefined) new X509Certificate(tls.ca);
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const where = pathsOf(files).map((path) => printable(path));
    throw bad(`${where.join(", ")}: ${(error as Error).message}`);
  }
}

/** Returns the signature of the certificates. Taken before they are read. */
export function signatureOfTls(files: Files): Promise<string> {
  return signatureOf(pathsOf(files));
}

function pathsOf({ tlsCert, tlsKey, tlsClientCa }: Files): readonly string[] {
  return [tlsCert, tlsKey, tlsClientCa].filter((path) => path !== undefined);
}

type TlsWatchOptions = Pick<GrpcServer, "setTls"> & {
  readonly log: ServiceLogger;
  readonly seen: string;
};

/** Uses the new files after a change. If they are invalid, the previous ones stay in use. */
export async function watchTls(
  files: Files,
  { setTls, log, seen }: TlsWatchOptions,
): Promise<() => void> {
  const changed = async () => {
    try {
      const tls = await readTls(files, { regular: true });
      if (tls !== undefined) setTls(tls);
      log.info("certificates have changed: new connections use the new ones");
    } catch (error) {
      log.warn(
        "certificates have changed, but can't be used; the previous ones stay in use: " +
          `${(error as Error).message}`,
      );
    }
  };
  return watchFiles({ paths: pathsOf(files), seen, changed });
}

/** The longest file, in bytes: four times a bundle of all authorities that systems ship. */
const LONGEST = 1024 * 1024;

async function readPem(file: {
  readonly path: string;
  readonly regular: boolean;
}): Promise<Buffer> {
  try {
    const bytes = await readBytes({ ...file, longest: LONGEST });
    if (bytes.length <= LONGEST) return bytes;
    throw new Error("expected at most 1 MiB");
  } catch (error) {
    throw new CommandError("unreadable-path", `${printable(file.path)}: ${systemMessage(error)}`);
  }
}

function bad(why: string): CommandError {
  return new CommandError("bad-tls", why);
}
