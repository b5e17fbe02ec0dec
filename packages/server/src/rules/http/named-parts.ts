/** Finds the parameters of a query and the cookies of a header by their names. */
import { unescape as unescaped } from "node:querystring";

/** The maximum number of parameters, or of cookies: to look at each takes time of every request. */
export const MOST_PARTS = 256;

/** Thrown for a request with more parts: to ignore some would let it pass their limits by. */
export class TooManyParts extends Error {
  override readonly name = "TooManyParts";

  constructor(what: string) {
    super(`Found over ${MOST_PARTS} ${what}, expected fewer, because rules read some of them`);
  }
}

/** The parameters of a query. A value is decoded when it is needed. */
export class Parameters {
  /** By decoded name, the first value as it was received. */
  readonly #received = new Map<string, string>();
  readonly #decoded = new Map<string, string>();

  /** @throws TooManyParts */
  constructor(query: string) {
    for (const pair of partsOf(query, { separator: "&", what: "parameters" })) {
      const equals = pair.indexOf("=");
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      if (pair === "" || this.#received.has(name)) continue;
      this.#received.set(name, equals < 0 ? "" : pair.slice(equals + 1));
    }
  }

  /** Returns the first value of a name, as `URLSearchParams` does. */
  get(name: string): string | undefined {
    return this.#decoded.get(name) ?? this.#decode(name);
  }

  #decode(name: string): string | undefined {
    const received = this.#received.get(name);
    if (received === undefined) return undefined;
    const decoded = decode(received);
    this.#decoded.set(name, decoded);
    return decoded;
  }
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? unescaped(spaced) : spaced;
}

/** Returns the first cookie of each name. @throws TooManyParts */
export function cookiesIn(header: string): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of partsOf(header, { separator: ";", what: "cookies" })) {
    const equals = pair.indexOf("=");
    const name = equals < 0 ? "" : pair.slice(0, equals).trim();
    if (!cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

type Separated = { readonly separator: string; readonly what: string };

function partsOf(text: string, { separator, what }: Separated): readonly string[] {
  const parts = text.split(separator, MOST_PARTS + 1);
  if (parts.length > MOST_PARTS) throw new TooManyParts(what);
  return parts;
}
