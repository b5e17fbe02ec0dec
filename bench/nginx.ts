/** nginx, where the machine has one: on a free port, in a folder that is removed with it. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server that runs, and can go away for a while. */
export type Nginx = AsyncDisposable & {
  readonly folder: string;
  readonly port: number;
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
};

/** Where it runs. */
export type Place = Pick<Nginx, "folder" | "port">;

/** Whether there is an nginx in the path. */
export function hasNginx(): boolean {
  return spawnSync("nginx", ["-v"]).status === 0;
}

/** Starts one with what `http` says of its place, in a block that answers `/ready` there with 204. */
export async function startNginx(http: (place: Place) => string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "spillway-nginx-"));
  const port = await freePort();
  await chmod(folder, 0o755);
  await writeFile(join(folder, "nginx.conf"), configuration(folder, http({ folder, port })));
  const args = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  const start = () => spawn("nginx", args, { stdio: "ignore" });
  let nginx = start();
  const goDown = async () => {
    const exit = once(nginx, "exit");
    nginx.kill("SIGTERM");
    await exit;
  };
  await answering(port);
  return {
    folder,
    port,
    goDown,
    async comeBack() {
      nginx = start();
    },
    async [Symbol.asyncDispose]() {
      await goDown();
      await rm(folder, { recursive: true });
    },
  };
}

function configuration(folder: string, http: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
${temporary}
${http}
}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
    if (response?.status === 204) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error("nginx does not answer");
}
