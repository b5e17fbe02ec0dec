/** Reads the rules of a service by HTTP. Unchanged rules are not sent again. */
import { SECOND } from "spillway/core";
import { afterDelay, printable, shownReason } from "spillway/support";
import type { RuleFile } from "../../rules/index.ts";
import { CommandError } from "../command-error.ts";

/** The rules of a service. */
export type ServiceRules = {
  readonly files: readonly RuleFile[];
  /** Why they differ from its files; undefined if they do not. */
  readonly trouble: string | undefined;
};

/** Milliseconds for an answer, including its body. */
const DEADLINE = 3 * SECOND;

const ADVICE: ReadonlyMap<number, string> = new Map([
  [401, "Pass the service's SPILLWAY_STORE_TOKEN as `token`"],
  [403, "Set SPILLWAY_STORE_TOKEN for the service, and pass it as `token`"],
  [404, "Is this the URL of `spillway serve`?"],
]);

/** Reads rules again and again. */
export class ServiceRulesReader {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  /** Ends the request under way. */
  #abort = () => {};
  /** The version of the rules read last, as the service names it. */
  #version: string | undefined;

  constructor(url: string, token: string | undefined) {
    this.#url = url;
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${checkedToken(token)}` };
  }

  /** Returns the rules; undefined if they have not changed. @throws CommandError `no-rules` */
  async read(): Promise<ServiceRules | undefined> {
    const aborting = new AbortController();
    this.#abort = () => aborting.abort(new Error("no longer needed"));
    const late = () => aborting.abort(new Error(`no answer within ${DEADLINE} ms`));
    const cancel = afterDelay(DEADLINE, late);
    try {
      return await this.#answer(aborting.signal);
    } catch (error) {
      // Node names the reason of a failed connection in the cause.
      const { cause = error } = error as Error;
      throw new CommandError("no-rules", `${printable(this.#url)}: ${shownReason(cause)}`);
    } finally {
      cancel();
    }
  }

  /** Ends a request under way. */
  close(): void {
    this.#abort();
  }

  async #answer(signal: AbortSignal): Promise<ServiceRules | undefined> {
    const response = await this.#get(signal);
    if (response.status === 304) return undefined;
    if (response.status !== 200) throw new Error(await failure(response));
    const rules = rulesIn(await response.json());
    this.#version = response.headers.get("etag") ?? undefined;
    return rules;
  }

  #get(signal: AbortSignal): Promise<Response> {
    const version = this.#version;
    return fetch(this.#url, {
      headers: { ...this.#headers, ...(version !== undefined && { "if-none-match": version }) },
      // Another server must not receive the token.
      redirect: "manual",
      signal,
    });
  }
}

/** The token is a secret, and not shown. */
function checkedToken(token: unknown): string {
  if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token;
  const hint = "Is SPILLWAY_STORE_TOKEN set here? Without a token, leave it out";
  const expected = "visible ASCII characters, at least one of them";
  throw new CommandError("bad-source", `source of rules: bad token, expected ${expected}. ${hint}`);
}

async function failure(response: Response): Promise<string> {
  const { status } = response;
  const advice = ADVICE.get(status);
  const text = await response.text();
  const start = `responded ${status}${advice === undefined ? "" : `. ${advice}`}`;
  return `${start}: ${shownReason(detailIn(text))}`;
}

/** Returns the detail of a problem document, else the text. */
function detailIn(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return typeof detail === "string" ? detail : text;
  } catch {
    return text;
  }
}

function rulesIn(body: unknown): ServiceRules {
  const { files, trouble } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(files) || !files.every(isFile)) {
    throw new Error("the answer has no rule files. Is this the URL of `spillway serve`?");
  }
  return {
    files: files.map(({ file, text }) => ({ name: file, text })),
    trouble: typeof trouble === "string" ? trouble : undefined,
  };
}

type SentFile = { readonly file: string; readonly text: string };

function isFile(one: unknown): one is SentFile {
  const { file, text } = (one ?? {}) as Readonly<Record<string, unknown>>;
  return typeof file === "string" && typeof text === "string";
}
