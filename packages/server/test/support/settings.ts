/** What `spillway serve` makes of a command line and an environment, without a process. */
import { Command } from "commander";
import { envoyOptionsOf, settingsOf } from "../../src/process/options/answer-options.ts";
import { completeOptions } from "../../src/process/options/complete-options.ts";
import { readVariables } from "../../src/process/options/option.ts";
import { parseOptionsOf } from "../../src/process/options/rule-options.ts";
import { serveOptions } from "../../src/process/options/serve-options.ts";
import { metricsPlace, upstreamOf } from "../../src/process/options/telemetry-options.ts";
import { runtimePaths } from "../../src/process/options/upstream-environment.ts";

/** Reads both, as far as that is possible without files. @throws CommandError, CommanderError */
export function settingsFrom(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  for (const option of serveOptions()) command.addOption(option);
  command.parse([...args], { from: "user" });
  readVariables(command, env);
  const options = completeOptions(command, env);
  return {
    ...options,
    paths: runtimePaths(env),
    parse: parseOptionsOf(options),
    settings: settingsOf(options),
    envoy: envoyOptionsOf(options),
    metrics: metricsPlace(options),
    upstream: upstreamOf(options),
  };
}
