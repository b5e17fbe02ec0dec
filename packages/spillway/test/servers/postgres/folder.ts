import { chown, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresUser } from "./user.ts";

/** Makes a temporary folder that belongs to the server's user. */
export async function temporaryFolder(purpose: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `spillway-postgres-${purpose}-`));
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  return folder;
}
