/** Resident memory of `spillway proxy`, and of a server of Node alone, with 10 000 idle connections. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Child } from "../child.ts";
import { ProxyProcess } from "../proxy/process.ts";
import { residentMib } from "../rls/resident.ts";
import type { Group, Measured, Suite } from "./suite.ts";

const CONNECTIONS = 10_000;
/** In one process of clients. */
const SHARE = 2500;
/** Milliseconds from the first answer, and from the last, to a reading. */
const PAUSE = 5000;

const KINDS = ["HTTP", "HTTPS", "HTTP/2"] as const;

export const memoryOfProxy: Suite = async (progress) => {
  await using resources = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "spillway-bench-"));
  resources.defer(() => rmSync(directory, { recursive: true }));
  const upstream = resources.use(
    new Child(new URL("../proxy/server.ts", import.meta.url), ["upstream"]),
  );
  const to = `http://127.0.0.1:${await upstream.message()}`;
  const tls = certificate(directory);
  const groups: Group[] = [];
  for (const kind of KINDS) {
    const { cert, key } = tls;
    const options = kind === "HTTP" ? [] : ["--cert", cert, "--key", key];
    const servers = {
      [kind]: () => ProxyProcess.start(to, options),
      [`${kind}, Node alone`]: () => ProxyProcess.bare(kind, cert, key),
    };
    const rows: Measured[] = [];
    for (const [name, start] of Object.entries(servers)) {
      const { rest, idle } = await measure(kind, start);
      progress(`${name}: ${rest} MiB at rest, ${idle} with ${CONNECTIONS} idle connections`);
      rows.push({ name: `${name} idle`, value: idle, unit: "MiB" });
      rows.push({ name: `${name} at rest`, value: rest, unit: "MiB" });
    }
    groups.push({ title: `${CONNECTIONS} connections by ${kind}`, rows });
  }
  return groups;
};

/** All connections have answered twice: none is about to be closed for its idleness. */
async function measure(kind: string, start: () => Promise<ProxyProcess>) {
  await using proxy = await start();
  await using clients = new AsyncDisposableStack();
  await wait(PAUSE);
  const rest = residentMib(proxy.pid);
  const { port } = new URL(proxy.url);
  const file = new URL("../proxy/idle-clients.ts", import.meta.url);
  const all = Array.from({ length: CONNECTIONS / SHARE }, () =>
    clients.use(new Child(file, [kind, port, String(SHARE)])),
  );
  await Promise.all(all.map((child) => child.message()));
  const again = all.map((child) => {
    child.process.send("again");
    return child.message();
  });
  const open = (await Promise.all(again)).reduce<number>((sum, one) => sum + Number(one), 0);
  if (open !== CONNECTIONS) throw new Error(`found ${open} open connections`);
  await wait(PAUSE);
  return { rest, idle: residentMib(proxy.pid) };
}

/** Makes a certificate, by openssl. Returns its files. */
function certificate(cwd: string) {
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const files = ["-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=localhost"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...files], { cwd, stdio: "ignore" });
  return { cert: join(cwd, "cert.pem"), key: join(cwd, "key.pem") };
}
