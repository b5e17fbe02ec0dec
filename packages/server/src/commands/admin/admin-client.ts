/** Calls an administration listener over TCP or a Unix socket. */
import { request as overHttp, type RequestOptions } from "node:http";
import { request as overHttps } from "node:https";
import { text } from "node:stream/consumers";
import { SECOND } from "spillway/core";
import { CommandError } from "../../process/command-error.ts";
import type { Environment } from "../../process/options/index.ts";
import { ADMIN_PATH, NAME_HEADER } from "../../service/index.ts";
import type { AdminCall, AdminOptions } from "./admin-command.ts";
import { type AdminUrl, shownUrl } from "./admin-url.ts";

/** An answer of the listener, which is an object of JSON. */
export type AdminAnswer = { readonly status: number; readonly body: object };

/** How long to wait for an answer, in milliseconds. */
const LONGEST_WAIT = 10 * SECOND;

/** @throws CommandError `bad-admin`, `admin-unreachable` */
export async function callAdmin(
  call: AdminCall,
  options: AdminOptions,
  env: Environment,
): Promise<AdminAnswer> {
  const { admin } = options;
  if (admin === undefined) throw nowhere();
  try {
    return await exchange(admin, { ...call, headers: headersOf(options, env) });
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new CommandError(
      "admin-unreachable",
      `${shownUrl(admin)} gives no answer: ${why}. Expected the address that spillway serve ` +
        "prints after Administration on",
    );
  }
}

function nowhere(): CommandError {
  return new CommandError(
    "bad-admin",
    "no address is given, expected --admin or SPILLWAY_ADMIN_URL, such as " +
      "http://127.0.0.1:9090 or unix:/run/spillway/admin.sock",
  );
}

function headersOf({ as }: AdminOptions, env: Environment): Record<string, string> {
  const token = env.SPILLWAY_ADMIN_TOKEN || env.SPILLWAY_ADMIN_READ_TOKEN;
  return {
    "content-type": "application/json",
    ...(token && { authorization: `Bearer ${token}` }),
    ...(as !== undefined && { [NAME_HEADER]: encodeURIComponent(as) }),
  };
}

type Sent = AdminCall & { readonly headers: Record<string, string> };

function exchange(admin: AdminUrl, { path, body, headers }: Sent): Promise<AdminAnswer> {
  const payload = body === undefined ? "" : JSON.stringify(body);
  const length = { "content-length": Buffer.byteLength(payload) };
  const options: RequestOptions = {
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, ...length, connection: "close" },
    timeout: LONGEST_WAIT,
    ...(admin.socket !== undefined && { socketPath: admin.socket }),
  };
  const url = new URL(ADMIN_PATH + path, admin.url ?? "http://localhost");
  const send = url.protocol === "https:" ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, options, async (response) => {
      const { statusCode: status = 0 } = response;
      text(response)
        .then((answer) => resolve({ status, body: parsed(answer) }))
        .catch(reject);
    });
    request.on("timeout", () => request.destroy(new Error("no answer within 10 s")));
    request.on("error", reject);
    request.end(payload);
  });
}

/** @throws Error if the text is no object of JSON: another program has answered */
function parsed(answer: string): object {
  try {
    const body: unknown = JSON.parse(answer);
    if (typeof body === "object" && body !== null) return body;
  } catch {
    // The error below says it better.
  }
  throw new Error("what answered is no administration of Spillway");
}
