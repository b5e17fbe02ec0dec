/**
 * Ids for visitors without accounts. Visitors can't forge them, and gain nothing by dropping them.
 */
import { closed, inTime, isThenable } from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import type { Decision, Limits } from "../../limits/core/index.ts";
import { networkOf } from "./addresses.ts";
import type { ProofRequest, Visitor, VisitorRequest, VisitorsOptions } from "./contracts.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import { KeyRing } from "./key-ring.ts";
import { checkedVisitors, type VisitorsSettings } from "./options.ts";
import { Stamps } from "./stamps.ts";
import { randomId } from "./web-crypto.ts";

type VisitorLimit = { readonly limit: string; readonly key: string };

/** The letter before an id. It shows the id's binding: the address, or a solved challenge. */
const BOND = { address: "a", proof: "p" } as const;

type NetworkBinding = keyof typeof BOND;

/** The text of an id, and the address that it is shown from. */
type Id = { readonly text: string; readonly address: string };

/**
 * Recognizes visitors by a signed id in a cookie.
 *
 * An id is bound to the network in which it was issued, or to a challenge that was solved for it. A
 * new id costs one unit of the address's budget. Visitors without a proof use the budget of their
 * address, with any id. So dropping cookies, or collecting many, gains nothing.
 *
 * Not a session: an id identifies a browser, not a person.
 */
export class Visitors<const L extends Limits> {
  readonly #limiter: AnyLimiter;
  readonly #settings: VisitorsSettings;
  readonly #stamps: Stamps;

  /**
   * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`, `unknown-limit`,
   * `wrong-kind`
   */
  constructor(limiter: AnyLimiter<L>, options: VisitorsOptions<L>) {
    const settings = checkedVisitors(limiter?.limits, options as VisitorsOptions);
    this.#limiter = limiter;
    this.#settings = settings;
    const ring = new KeyRing("spillway visitor", settings.keys, settings.clock);
    this.#stamps = new Stamps(ring, settings);
  }

  /**
   * Identifies the sender of a request. An unknown sender receives a new id, if the address has one
   * left.
   *
   * @throws SpillwayError `bad-key` if the address is invalid; `bad-option` if all keys have ended
   */
  async enter(request: VisitorRequest): Promise<Visitor> {
    const address = networkOf(request.address);
    const known = await this.#known(request, address);
    if (known !== undefined) return known;
    const decision = await this.#take(this.#asks({ limit: this.#settings.newIds, key: address }));
    return decision.ok ? this.#issue(address, "address") : stranger(address, decision);
  }

  /**
   * Issues an id to a visitor that has solved a challenge. A visitor with a proved id keeps it.
   *
   * A wrong solution changes nothing and costs nothing, so limit the route.
   *
   * @throws SpillwayError `bad-key` if the address is invalid; `unavailable` if the challenge does
   * not answer in time; any error of the challenge
   */
  async prove(request: ProofRequest): Promise<Visitor> {
    const address = networkOf(request.address);
    const known = await this.#known(request, address);
    if (known?.proved) return known;
    const { challenge, proofs, timeout } = this.#settings;
    const unproved = known ?? stranger(address, undefined);
    if (challenge === undefined || proofs === undefined) return unproved;
    const asks = this.#asks({ limit: proofs, key: address });
    // Checked first, so that no challenge is spent for a refusal.
    const left = closed(await this.#limiter.checkAll(asks));
    if (!left.ok) return { ...unproved, refused: left };
    // A body may contain something other than text.
    const { solution } = request as { readonly solution: unknown };
    if (typeof solution !== "string") return unproved;
    const answer = challenge(solution, { address });
    const needed = { field: "challenge", timeout };
    const isRight = isThenable(answer) ? await inTime(needed, answer) : answer;
    if (isRight !== true) return unproved;
    const decision = await this.#take(asks);
    return decision.ok ? this.#issue(address, "proof") : { ...unproved, refused: decision };
  }

  async #known({ cookie }: VisitorRequest, address: string): Promise<Visitor | undefined> {
    const token = readCookie(cookie, this.#settings.cookie.name);
    if (token === undefined) return undefined;
    const text = await this.#stamps.read(token, (signed) => contextOf({ text: signed, address }));
    return text === undefined ? undefined : visitor({ text, address });
  }

  async #issue(address: string, bond: NetworkBinding): Promise<Visitor> {
    const id = { text: `${BOND[bond]}.${randomId()}`, address };
    const token = await this.#stamps.stamp({ text: id.text, context: contextOf(id) });
    const { cookie, maxAge } = this.#settings;
    return { ...visitor(id), setCookie: writeCookie(cookie, token, maxAge) };
  }

  #asks(ask: VisitorLimit): readonly VisitorLimit[] {
    const { network } = this.#settings;
    if (network === undefined) return [ask];
    return [ask, { limit: network.limit, key: networkOf(ask.key, network.ipv6Prefix) }];
  }

  /** An id outlives an outage of the store, so no id is issued during an outage. */
  async #take(asks: readonly VisitorLimit[]): Promise<Decision> {
    return closed(await this.#limiter.limitAll(asks));
  }
}

/** An id bound to an address is signed with the address, but does not contain it. */
function contextOf({ text, address }: Id): string {
  return text.startsWith(`${BOND.address}.`) ? address : "";
}

function visitor({ text, address }: Id): Visitor {
  const id = text.slice(2);
  const proved = text.startsWith(`${BOND.proof}.`);
  const key = proved ? id : address;
  return { id, proved, key, address, setCookie: undefined, refused: undefined };
}

function stranger(address: string, refused: Decision | undefined): Visitor {
  return { id: undefined, proved: false, key: address, address, setCookie: undefined, refused };
}
