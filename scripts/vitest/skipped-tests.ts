/** A reporter that lists the tests that were skipped: their names say why. */
import type { Reporter, TestModule } from "vitest/node";

export default class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const names = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map(
        ({ fullName }) => `${module.relativeModuleId} > ${fullName}`,
      ),
    );
    if (names.length > 0)
      console.log(["", ...names.map((name) => ` ↓ skipped: ${name}`)].join("\n"));
  }
}
