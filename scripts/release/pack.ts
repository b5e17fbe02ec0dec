/**
 * `npm run release:pack`: writes what a release uploads into `release/`: `library/` and `server/` with a tarball and
 * an SBOM each, and `notes.md`, the changelog's section.
 */
import { execSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileOf } from "../rename/names.ts";
import { ROOT } from "../setup/places.mjs";
import { sectionOf } from "./ready.mjs";
import { sbomOf } from "./sbom.ts";

const FOLDERS = { library: "packages/spillway", server: "packages/server" };
const RELEASE = join(ROOT, "release");
const own = Object.values(FOLDERS).map(manifestOf);

rmSync(RELEASE, { recursive: true, force: true });
for (const [to, folder] of Object.entries(FOLDERS)) pack(folder, join(RELEASE, to));
const { version } = manifestOf(FOLDERS.library);
const notes = sectionOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), version);
writeFileSync(join(RELEASE, "notes.md"), `${notes ?? "Not in the changelog yet."}\n`);

function pack(folder: string, to: string): void {
  const manifest = manifestOf(folder);
  mkdirSync(to, { recursive: true });
  npm(`pack -w ${manifest.name} --pack-destination "${to}"`);
  const sbom = JSON.parse(
    npm(`sbom --package-lock-only --sbom-format cyclonedx -w ${manifest.name}`),
  );
  const document = sbomOf(sbom, { name: manifest.name, own });
  const file = join(to, `${fileOf(manifest.name)}-${manifest.version}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
}

function manifestOf(folder: string) {
  return JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
}

// In a shell, because npm is a script that Windows can't start otherwise.
function npm(command: string): string {
  return execSync(`npm ${command}`, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 });
}
