/**
 * Has API Extractor write the report of each entry of a package: `node extract.mjs PLAN`, where PLAN is a JSON file.
 *
 * A program of its own, because it runs on the compiler that comes with the tool. All entries are read in one
 * compilation: API Extractor's own command would make one for each.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const { folder, types, entries, into } = JSON.parse(readFileSync(process.argv[2], "utf8"));

const QUIET = { default: { logLevel: "none" } };

const configs = entries.map(({ declarations, report }) =>
  ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, declarations),
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: "es2024",
            lib: ["es2024", "esnext.disposable"],
            module: "nodenext",
            types,
            skipLibCheck: true,
          },
          files: entries.map((one) => join(folder, one.declarations)),
        },
      },
      apiReport: {
        enabled: true,
        includeForgottenExports: true,
        reportFileName: report,
        reportFolder: into,
        reportTempFolder: join(into, "temporary"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        compilerMessageReporting: QUIET,
        extractorMessageReporting: QUIET,
        tsdocMessageReporting: QUIET,
      },
    },
  }),
);

mkdirSync(into, { recursive: true });
const compilerState = CompilerState.create(configs[0], {
  additionalEntryPoints: entries.slice(1).map(({ declarations }) => join(folder, declarations)),
});
for (const config of configs) {
  const { errorCount } = Extractor.invoke(config, {
    localBuild: true,
    compilerState,
    messageCallback: (message) => {
      if (message.logLevel === "error") console.error(message.text);
      message.handled = true;
    },
  });
  if (errorCount > 0) process.exitCode = 1;
}
