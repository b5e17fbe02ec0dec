/** The tokens of administrators: from the environment, or from files that may change. */
import { printable } from "spillway/support";
import type { ServiceLogger } from "../../telemetry/index.ts";
import { type AdminTokens, checkToken, TokenError } from "../../transports/http-api/index.ts";
import { CommandError } from "../command-error.ts";
import { readBytes, signatureOf, watchFiles } from "../files/index.ts";
import { checkApart, type ServeOptions } from "../options/index.ts";
import { systemMessage } from "../system-message.ts";

type TokenOptions = Pick<
  ServeOptions,
  "tokens" | "adminReadToken" | "adminTokenFile" | "adminReadTokenFile"
>;

/** Tokens that may be replaced while the service runs. */
export type RotatedTokens = {
  /** Returns the tokens as they are now. */
  readonly now: () => AdminTokens;
  /** Reads the files again. */
  readonly reload: () => Promise<void>;
  readonly close: () => void;
};

/**
 * Reads the tokens, and again when a file changes. Unusable new files change nothing, and are
 * reported.
 *
 * @throws CommandError `bad-token`, `unreadable-path`
 */
export async function rotatedTokens(
  options: TokenOptions,
  log: Pick<ServiceLogger, "info" | "warn">,
): Promise<RotatedTokens> {
  const { adminTokenFile, adminReadTokenFile } = options;
  const paths = [adminTokenFile, adminReadTokenFile].filter((path) => path !== undefined);
  const seen = await signatureOf(paths);
  let tokens = await readTokens(options, { regular: false });
  const reload = async () => {
    try {
      const read = await readTokens(options, { regular: true });
      const isNew = read.change !== tokens.change || read.read !== tokens.read;
      tokens = read;
      if (isNew)
        log.info("the tokens of administrators have changed: only the new ones open calls");
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      log.warn(`new tokens can't be used; the previous ones stay in use: ${error.message}`);
    }
  };
  const isWatched = paths.length > 0;
  const close = isWatched ? await watchFiles({ paths, seen, changed: reload }) : () => {};
  return { now: () => tokens, reload: isWatched ? reload : async () => {}, close };
}

type ReadOptions = { readonly regular: boolean };

async function readTokens(options: TokenOptions, how: ReadOptions): Promise<AdminTokens> {
  const { tokens, adminReadToken, adminTokenFile, adminReadTokenFile } = options;
  const tokenIn = async (path: string | undefined) =>
    path === undefined ? undefined : readToken({ path, ...how });
  const change = (await tokenIn(adminTokenFile)) ?? tokens.adminToken;
  const read = (await tokenIn(adminReadTokenFile)) ?? adminReadToken;
  checkApart(change, read);
  return { change, read };
}

/** The longest file, in bytes. */
const LONGEST = 4096;

/** Reads a token. White space around it, such as a line's end, is no part of it. */
async function readToken(file: ReadOptions & { readonly path: string }): Promise<string> {
  const name = printable(file.path);
  const bytes = await readBytes({ ...file, longest: LONGEST }).catch((error: unknown) => {
    throw new CommandError("unreadable-path", `${name}: ${systemMessage(error)}`);
  });
  try {
    const token = bytes.toString("latin1").trim();
    checkToken({ name, token });
    return token;
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw new CommandError(error.code, error.message);
  }
}
