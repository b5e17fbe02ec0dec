/** What the parts of the suite start: services, and files for them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "../child.ts";
import { ServiceProcess } from "../service/command.ts";
import { RULES } from "./question.ts";

/** Ends with its scope, and with it all that it has started. */
export class Means implements AsyncDisposable {
  readonly resources = new AsyncDisposableStack();
  readonly directory = mkdtempSync(join(tmpdir(), "spillway-bench-"));

  constructor() {
    this.resources.defer(() => rmSync(this.directory, { recursive: true }));
  }

  /** Writes a file, and returns its path. */
  file(name: string, content: string | Buffer): string {
    const path = join(this.directory, name);
    writeFileSync(path, content);
    return path;
  }

  /**
   * Serves rule files, or the one rule that is asked for.
   *
   * A store is waited for as long as it takes: a machine that is busy is not what is measured.
   */
  async service(args: readonly string[], rules?: string): Promise<ServiceProcess> {
    const all = [rules ?? this.file("rules.yaml", RULES), "--deadline", "5000", ...args];
    return this.resources.use(await ServiceProcess.start(all));
  }

  /** A process that reports its port. */
  async child(file: string, argument: string): Promise<number> {
    const child = this.resources.use(new Child(new URL(file, import.meta.url), [argument]));
    return (await child.message()) as number;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.resources.disposeAsync();
  }
}
