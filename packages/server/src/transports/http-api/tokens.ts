/** The secret tokens of guarded calls. */

/** The tokens of guarded calls; undefined if a token does not exist. */
export type Tokens = {
  /** Opens every guarded call. */
  readonly adminToken?: string | undefined;
  /** Opens `/v1/commands`, reads `/v1/rules`, and nothing else. */
  readonly storeToken?: string | undefined;
  /** Opens `/metrics`, and nothing else. */
  readonly metricsToken?: string | undefined;
};

/**
 * Thrown for a token that can be guessed or can't be sent. The message never contains the token.
 */
export class TokenError extends Error {
  override readonly name = "TokenError";
  readonly code = "bad-token";
}

/** The minimum length of a token: as hexadecimal digits, 64 random bits. */
const FEWEST = 16;

/** Refuses a token that can be guessed, or can't be sent in a header. @throws TokenError */
export function checkToken({ name, token }: { readonly name: string; readonly token: string }) {
  if (/^[!-~]*$/.test(token) && token.length >= FEWEST) return;
  const found =
    token.length < FEWEST
      ? `has ${token.length} character${token.length === 1 ? "" : "s"}`
      : "has spaces, or characters that are not ASCII";
  const expected =
    `expected at least ${FEWEST} visible ASCII characters, such as openssl rand -hex 32 ` +
    "prints";
  throw new TokenError(`${name} ${found}, ${expected}`);
}
