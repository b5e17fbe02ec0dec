/** Both packages as users get them: joined, packed by npm, and unpacked into a folder of their own. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LIBRARY, SERVER } from "../../names.mjs";
import { join as joinModules } from "../../pack/join.mjs";
import { fileOf } from "../../rename/names.ts";
import { ROOT } from "../pages.ts";
import { type Outcome, run } from "./run.ts";

export const PACKAGES = [LIBRARY, SERVER];

/** A folder in which a program finds both packages, and what they depend on in the repository's. */
export class Packed {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Packed> {
    const scratch = join(ROOT, ".spillway");
    mkdirSync(scratch, { recursive: true });
    const packed = new Packed(mkdtempSync(join(scratch, "packed-")));
    // What was built is there: to build again, or to join it there, would disturb the tests beside this.
    const workspaces = PACKAGES.map((name) => `--workspace ${name}`).join(" ");
    packed.#pack(workspaces, ROOT);
    for (const name of PACKAGES) packed.#unpack(name);
    for (const name of PACKAGES) {
      await joinModules(packed.contents(name), packed.#loadedByPath(name));
      packed.#pack("", packed.contents(name));
    }
    return packed;
  }

  /** The modules that a package's own script names, because they stay files when it is packed. */
  #loadedByPath(name: string): readonly string[] {
    const manifest = readFileSync(join(this.contents(name), "package.json"), "utf8");
    const [, , ...modules] = JSON.parse(manifest).scripts.prepack.split(" ");
    return modules;
  }

  #pack(what: string, cwd: string): void {
    const pack = `npm pack --ignore-scripts ${what} --pack-destination "${this.folder}"`;
    // In a shell, because npm is a script that Windows can't start otherwise.
    succeed(run(pack, [], { cwd, shell: true }));
  }

  #unpack(name: string): void {
    mkdirSync(this.contents(name), { recursive: true });
    const args = ["-xzf", this.tarball(name), "-C", this.contents(name), "--strip-components=1"];
    succeed(run("tar", args));
  }

  /** What npm would upload. */
  tarball(name: string): string {
    const [file = ""] = readdirSync(this.folder).filter((file) =>
      file.match(`^${fileOf(name)}-\\d`),
    );
    return join(this.folder, file);
  }

  /** The folder of the unpacked package. */
  contents(name: string): string {
    return join(this.folder, "node_modules", name);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

function succeed({ status, stdout, stderr }: Outcome): void {
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
}
