/** nginx with `limit_req`, where the machine has one: in a folder that is removed with it. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RATE, type Seen } from "./setting.ts";

/** A server that runs, and can go away for a while. */
export type Nginx = AsyncDisposable & {
  readonly port: number;
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  seen(): Promise<readonly Seen[]>;
};

/** Whether there is an nginx in the path. */
export function hasNginx(): boolean {
  return spawnSync("nginx", ["-v"]).status === 0;
}

export async function startNginx(): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "spillway-nginx-"));
  const port = await freePort();
  await chmod(folder, 0o755);
  await writeFile(join(folder, "index.html"), "ok");
  await writeFile(join(folder, "nginx.conf"), configuration(folder, port));
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
    port,
    goDown,
    async comeBack() {
      nginx = start();
    },
    seen: async () => parse(await readFile(join(folder, "access.log"), "utf8")),
    async [Symbol.asyncDispose]() {
      await goDown();
      await rm(folder, { recursive: true });
    },
  };
}

/** Its own status for refusals, 503, and no header that says anything of the limit. */
function configuration(folder: string, port: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
${temporary}
log_format seen '$msec $status'; access_log ${folder}/access.log seen;
limit_req_zone $server_port zone=all:1m rate=${RATE}r/s;
server {
  listen 127.0.0.1:${port}; root ${folder}; keepalive_requests 1000000;
  location = / { limit_req zone=all burst=20 nodelay; try_files /index.html =404; }
  location = /ready { return 204; access_log off; }
} }`;
}

function parse(log: string): readonly Seen[] {
  return log
    .split("\n")
    .map((line) => line.split(" "))
    .filter((parts) => parts.length === 2)
    .map(([at, status]) => ({ at: Number(at) * 1000, status: Number(status) }));
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
