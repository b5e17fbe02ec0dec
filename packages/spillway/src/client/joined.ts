/** Identical reads that are under way at the same time are one. */
import type { ClientResponse } from "./contracts.ts";
import type { ClientRequest } from "./request.ts";

type Cloneable = { clone(): unknown };
type Send<R> = (isLast: boolean) => Promise<R>;

/** Reads that are under way, by what they ask for. */
export class Joined<R extends ClientResponse> {
  readonly #underWay = new Map<string, Promise<R>>();

  /** Waits for the same read where one is under way; else runs it, and lets others wait for it. */
  async run(request: ClientRequest, send: Send<R>, run: (send: Send<R>) => Promise<R>): Promise<R> {
    const id = idOf(request);
    if (id === undefined) return run(send);
    const known = this.#underWay.get(id);
    if (known !== undefined) return copyOf(await known);
    const answer = run(send);
    this.#underWay.set(id, answer);
    const forget = () => this.#underWay.delete(id);
    answer.then(forget, forget);
    return copyOf(await answer);
  }
}

/** What makes two requests the same; undefined for those that are not joined. */
function idOf({ method, url, body, signal, header }: ClientRequest): string | undefined {
  const isRead = (method === "GET" || method === "HEAD") && body === undefined;
  // A signal is one caller's: it must not end what others wait for.
  if (!isRead || signal !== undefined) return undefined;
  const varying = VARYING.map((name) => header(name) ?? "");
  return JSON.stringify([method, url, ...varying]);
}

/** Headers by which answers differ, as a rule. */
const VARYING = ["accept", "accept-language", "authorization", "cookie", "range", "x-api-key"];

function copyOf<R>(response: R): R {
  return (response as R & Cloneable).clone() as R;
}
