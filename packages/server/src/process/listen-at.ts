/** Listens at an address, and explains what to do if that fails. */
import type { AddressInfo } from "node:net";
import { printable } from "spillway/support";
import { CommandError } from "./command-error.ts";
import { systemMessage } from "./system-message.ts";

/** An address, and the option or environment variable that sets its port. */
type ListenTarget = {
  readonly host: string;
  readonly port: number;
  readonly option: string;
  readonly variable: string;
};

type ListeningTransport = {
  readonly listen: () => Promise<unknown>;
  /** Called if it can't listen. */
  readonly close?: () => PromiseLike<unknown>;
};

/** @throws CommandError `port-in-use`, `address-unusable` */
export async function listenAt(
  at: ListenTarget,
  { listen, close }: ListeningTransport,
): Promise<void> {
  try {
    await listen();
  } catch (error) {
    await close?.();
    throw cannotListen(error, at);
  }
}

/** Formats an address for a URL. Pure. */
export function hostAndPort({ address, family, port }: AddressInfo): string {
  return `${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

function cannotListen(error: unknown, listening: ListenTarget): CommandError {
  const where = `${printable(listening.host)}:${listening.port}`;
  if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
    const hint = `choose another port with ${howToSet(listening)}; 0 picks any free port`;
    return new CommandError("port-in-use", `another program listens on ${where}; ${hint}`);
  }
  return new CommandError("address-unusable", `can't listen on ${where}: ${systemMessage(error)}`);
}

/** `npm start` passes no options to the service. npm's environment shows which script runs. */
function howToSet({ option, variable, port }: ListenTarget): string {
  if (process.env.npm_lifecycle_event !== "start") return `${option} or ${variable}`;
  const other = port < 60_000 ? port + 1000 : port - 1000;
  return process.platform === "win32"
    ? `the variable ${variable}, then npm start`
    : `${variable}=${other} npm start`;
}
