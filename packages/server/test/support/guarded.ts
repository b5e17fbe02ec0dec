/** The calls of a service that need a right, as its own description lists them. */
import { getText, postText } from "./raw.ts";

export type Call = { readonly method: "get" | "post"; readonly path: string };

type Operation = { readonly security?: readonly object[] };
type Description = { readonly paths: Record<string, Record<string, Operation>> };

/** Reads them from `/openapi.json`. */
export async function guardedCalls(url: string): Promise<readonly Call[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Description;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security !== undefined)
      .map(([method]) => ({ method: method as Call["method"], path })),
  );
}

/** A call as its bytes, the last of its connection; its body means nothing. */
export function callText({ method, path }: Call, token: string | undefined): string {
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const fields = { ...authorization, Connection: "close" };
  return method === "get" ? getText(path, fields) : postText(path, {}, fields);
}

/** Whether a status says that the caller has not the right: any other is about the call itself. */
export function isShut(status: number | undefined): boolean {
  return status === undefined || status === 401 || status === 403;
}
