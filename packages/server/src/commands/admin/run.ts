import { printable } from "spillway/support";
import { CommandError } from "../../process/command-error.ts";
import { callAdmin } from "./admin-client.ts";
import type { AdminCommand, AdminOptions } from "./admin-command.ts";

/**
 * Runs a command: calls the listener, and prints its answer for people or as JSON.
 *
 * @throws CommandError `bad-admin`, `admin-unreachable`, `admin-refused`
 */
export async function runAdmin(
  { call, show }: AdminCommand,
  options: AdminOptions,
  argument?: string,
): Promise<void> {
  const { status, body } = await callAdmin(call(options as never, argument), options, process.env);
  if (options.json) console.log(JSON.stringify(body, undefined, 2));
  if (status !== 200) throw refused(body);
  if (options.json) return;
  for (const line of show(body as never)) console.log(printable(line, Number.POSITIVE_INFINITY));
}

/** The problem that the listener has answered with. */
function refused(problem: { readonly code?: unknown; readonly detail?: unknown }): CommandError {
  const { code = "internal", detail = "no reason was given" } = problem;
  return new CommandError("admin-refused", `${code}: ${detail}`);
}
