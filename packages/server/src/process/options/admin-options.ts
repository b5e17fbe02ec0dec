/** Options of the administration listeners and the audit log. */
import type { Option } from "commander";
import { CommandError } from "../command-error.ts";
import { optionOf } from "./option.ts";
import { toFile, toHost, toWhole } from "./readers.ts";
import type { ServeEnvironment } from "./serve-environment.ts";

export type AdminServeOptions = {
  /** Undefined for no TCP listener, as the socket is. */
  readonly adminPort: number | undefined;
  readonly adminHost: string;
  readonly adminSocket: string | undefined;
  readonly adminTokenFile: string | undefined;
  readonly adminReadTokenFile: string | undefined;
  readonly auditFile: string | undefined;
};

/** Creates the options. Each overrides its environment variable. */
export function adminOptions(): readonly Option[] {
  return [...listenerOptions(), ...tokenOptions()];
}

function listenerOptions(): readonly Option[] {
  return [
    optionOf({
      flags: "--admin-port <port>",
      about: "a separate port for administrators, who need a token; 0 for any free port",
      env: "SPILLWAY_ADMIN_PORT",
      read: toWhole({ least: 0, most: 65_535 }),
    }),
    optionOf({
      flags: "--admin-host <host>",
      about: "the address of that port",
      env: "SPILLWAY_ADMIN_HOST",
      usual: "127.0.0.1",
      read: toHost,
    }),
    optionOf({
      flags: "--admin-socket <path>",
      about: "a Unix socket for administrators, for the service's own user, without a token",
      env: "SPILLWAY_ADMIN_SOCKET",
      read: toFile,
    }),
  ];
}

function tokenOptions(): readonly Option[] {
  return [
    optionOf({
      flags: "--admin-token-file <file>",
      about:
        "a file with the token to change, instead of SPILLWAY_ADMIN_TOKEN; read again when it " +
        "changes",
      env: "SPILLWAY_ADMIN_TOKEN_FILE",
      read: toFile,
    }),
    optionOf({
      flags: "--admin-read-token-file <file>",
      about: "a file with the token to read, instead of SPILLWAY_ADMIN_READ_TOKEN",
      env: "SPILLWAY_ADMIN_READ_TOKEN_FILE",
      read: toFile,
    }),
    optionOf({
      flags: "--audit-file <file>",
      about: "a file for the audit log of administrators' changes; without it, the store keeps it",
      env: "SPILLWAY_AUDIT_FILE",
      read: toFile,
    }),
  ];
}

type TokenSettings = AdminServeOptions & Pick<ServeEnvironment, "tokens" | "adminReadToken">;

/**
 * Refuses tokens that contradict each other, and an administration port that nobody could use.
 * Pure.
 *
 * @throws CommandError `bad-token`
 */
export function checkAdmin(options: TokenSettings): void {
  const { adminPort, adminTokenFile, adminReadTokenFile, adminReadToken, tokens } = options;
  checkOne({ token: tokens.adminToken, file: adminTokenFile, ...CHANGE });
  checkOne({ token: adminReadToken, file: adminReadTokenFile, ...READ });
  checkApart(tokens.adminToken, adminReadToken);
  const found = [tokens.adminToken, adminTokenFile, adminReadToken, adminReadTokenFile];
  if (adminPort === undefined || found.some((one) => one !== undefined)) return;
  throw new CommandError(
    "bad-token",
    `--admin-port ${adminPort} has no token, so that everybody who reaches it could change ` +
      "limits: set SPILLWAY_ADMIN_TOKEN or --admin-token-file, or use --admin-socket, which " +
      "needs none",
  );
}

const CHANGE = { variable: "SPILLWAY_ADMIN_TOKEN", option: "--admin-token-file" };
const READ = { variable: "SPILLWAY_ADMIN_READ_TOKEN", option: "--admin-read-token-file" };

type TokenPlaces = typeof CHANGE & {
  readonly token: string | undefined;
  readonly file: string | undefined;
};

function checkOne({ token, file, variable, option }: TokenPlaces): void {
  if (token === undefined || file === undefined) return;
  throw new CommandError("bad-token", `${variable} and ${option} are both set; unset one of them`);
}

/**
 * Refuses one token for both rights, because readers could then change limits.
 *
 * @throws CommandError `bad-token`
 */
export function checkApart(change: string | undefined, read: string | undefined): void {
  if (change === undefined || change !== read) return;
  throw new CommandError(
    "bad-token",
    "the token to read is also the token to change, expected another one",
  );
}
