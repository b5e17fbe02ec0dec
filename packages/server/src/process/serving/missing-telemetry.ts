/** The error for missing OpenTelemetry packages, which are optional. */
import { readFileSync } from "node:fs";
import { CommandError } from "../command-error.ts";
import { packageFile } from "../files/index.ts";

/**
 * @throws CommandError `missing-package` with the command that installs them; rethrows any other
 * error
 */
export function explainTelemetry(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes("@opentelemetry/")) throw error;
  throw new CommandError(
    "missing-package",
    "OTEL_EXPORTER_OTLP_ENDPOINT needs the packages of OpenTelemetry, which are not installed. " +
      `Install them: npm install ${packages().join(" ")} (or set OTEL_SDK_DISABLED=true)`,
  );
}

/**
 * Returns the optional packages, all of OpenTelemetry, with their versions, quoted for every shell.
 */
function packages(): readonly string[] {
  const manifest = readFileSync(packageFile("package.json"), "utf8");
  const { peerDependencies } = JSON.parse(manifest) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  return Object.entries(peerDependencies).map(([name, range]) => `"${name}@${range}"`);
}
