/** nginx with `limit_req`, as a server that refuses what its clients send too fast. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Nginx, type Place, startNginx } from "../nginx.ts";
import { RATE, type Seen } from "./setting.ts";

export { hasNginx } from "../nginx.ts";

/** An nginx that writes down what it has seen. */
export type LimitingNginx = Nginx & { seen(): Promise<readonly Seen[]> };

export async function startLimitingNginx(): Promise<LimitingNginx> {
  const nginx = await startNginx(configuration);
  await writeFile(join(nginx.folder, "index.html"), "ok");
  const log = join(nginx.folder, "access.log");
  return { ...nginx, seen: async () => parse(await readFile(log, "utf8")) };
}

/** Its own status for refusals, 503, and no header that says anything of the limit. */
function configuration({ folder, port }: Place): string {
  return `log_format seen '$msec $status'; access_log ${folder}/access.log seen;
limit_req_zone $server_port zone=all:1m rate=${RATE}r/s;
server {
  listen 127.0.0.1:${port}; root ${folder}; keepalive_requests 1000000;
  location = / { limit_req zone=all burst=20 nodelay; try_files /index.html =404; }
  location = /ready { return 204; access_log off; }
}`;
}

function parse(log: string): readonly Seen[] {
  return log
    .split("\n")
    .map((line) => line.split(" "))
    .filter((parts) => parts.length === 2)
    .map(([at, status]) => ({ at: Number(at) * 1000, status: Number(status) }));
}
