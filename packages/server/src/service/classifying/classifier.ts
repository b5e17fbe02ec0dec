/** Finds the descriptors of HTTP requests, whose tokens are verified first if rules read claims. */
import { type Clock, systemClock } from "spillway/core";
import type { MaybePromise } from "spillway/support";
import {
  type Claims,
  claimsNeeded,
  classify,
  type HttpItem,
  type ItemDescriptor,
  type JwtClaimsAction,
  type JwtProvider,
  type NormalRequest,
  TooManyParts,
} from "../../rules/index.ts";
import { RequestError } from "../request-error.ts";
import { credentialsIn } from "./bearer-token.ts";
import type { TokenVerifier } from "./token-verifier.ts";

/**
 * Returns a descriptor for each item that applies to a request: at once, if no item that applies
 * needs the claims of a token that the request has.
 *
 * @throws RequestError `bad-request` for too many parameters or cookies; `invalid-token` if an item
 * refuses a token that does not verify; `no-keys` if the keys that could verify it are not known.
 */
export type Classifier = (
  items: readonly HttpItem[],
  request: NormalRequest,
) => MaybePromise<readonly ItemDescriptor[]>;

/** Whether a token verifies for a provider: `why` not, or undefined if it does. */
type TokenReport = { readonly provider: string; readonly why: string | undefined };

export type ClassifierOptions = {
  /** The clock of tokens and of their keys. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Called with the result for each token. Default: none. */
  readonly onToken?: ((result: TokenReport) => void) | undefined;
};

/** Creates a classifier. It keeps the keys that verify tokens. */
export function classifier({ clock = systemClock, onToken }: ClassifierOptions = {}): Classifier {
  let verifier: Promise<TokenVerifier> | undefined;
  // Most rules read no claims, and then the library for tokens is not loaded.
  const load = async () => {
    const loaded = await import("./token-verifier.ts");
    return new loaded.TokenVerifier(clock);
  };
  return (items, request) => {
    const needed = claimsNeeded(items, request);
    const token = needed.length === 0 ? undefined : credentialsIn(request.header("authorization"));
    if (token === undefined) return descriptorsOf(items, request);
    verifier ??= load();
    return verifier.then(async (loaded) =>
      descriptorsOf(items, request, await verified(loaded, { needed, token, onToken })),
    );
  };
}

function descriptorsOf(...asked: Parameters<typeof classify>): readonly ItemDescriptor[] {
  try {
    return classify(...asked);
  } catch (error) {
    if (!(error instanceof TooManyParts)) throw error;
    throw new RequestError({ status: 400, code: "bad-request", detail: error.message });
  }
}

/** Returns the claims of a token by the providers for whom it verifies. */
async function verified(
  verifier: TokenVerifier,
  { needed, token, onToken }: TokenCheck,
): Promise<Claims> {
  const claims = new Map<JwtProvider, unknown>();
  for (const provider of new Set(needed.map((action) => action.provider))) {
    const { claims: found, why } = await verifier.claimsOf(token, provider);
    onToken?.({ provider: provider.name, why });
    if (found !== undefined) claims.set(provider, found);
  }
  const isRefused = ({ provider, refusesInvalid }: JwtClaimsAction) =>
    refusesInvalid && !claims.has(provider);
  const refusing = needed.find(isRefused);
  if (refusing !== undefined) throw invalid(refusing);
  return claims;
}

type TokenCheck = Pick<ClassifierOptions, "onToken"> & {
  readonly needed: readonly JwtClaimsAction[];
  readonly token: string;
};

/** The token, and why it does not verify, are not shown: that would help to make one. */
function invalid({ provider: { issuer } }: JwtClaimsAction): RequestError {
  const detail = `Found a token that does not verify, expected a valid one of ${issuer}`;
  const headers = { "www-authenticate": 'Bearer error="invalid_token"' };
  return new RequestError({ status: 401, code: "invalid-token", detail, headers });
}
