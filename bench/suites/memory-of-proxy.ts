/** Resident memory of `spillway proxy` with 10 000 idle connections. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Child } from "../child.ts";
import { ProxyProcess } from "../proxy/process.ts";
import { residentMib } from "../rls/resident.ts";
import type { Group, Suite } from "./suite.ts";

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
    const { rest, idle } = await measure(to, { kind, options: kind === "HTTP" ? [] : tls });
    progress(`${kind}: ${rest} MiB at rest, ${idle} with ${CONNECTIONS} idle connections`);
    const rows = [
      { name: `${kind} idle`, value: idle, unit: "MiB" },
      { name: `${kind} at rest`, value: rest, unit: "MiB" },
    ];
    groups.push({ title: `${CONNECTIONS} connections by ${kind}`, rows });
  }
  return groups;
};

type Measurement = { readonly kind: string; readonly options: readonly string[] };

/** All connections have answered twice: none is about to be closed for its idleness. */
async function measure(to: string, { kind, options }: Measurement) {
  await using proxy = await ProxyProcess.start(to, options);
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

/** Makes a certificate, by openssl. Returns the options that name it. */
function certificate(cwd: string): readonly string[] {
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const files = ["-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=localhost"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...files], { cwd, stdio: "ignore" });
  return ["--cert", join(cwd, "cert.pem"), "--key", join(cwd, "key.pem")];
}
