/** Ids for visitors who have no name, which they can't make themselves, and gain nothing by losing. */
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

type Ask = { readonly limit: string; readonly key: string };

/** What an id is bound to, as the letter before it: the address, or a challenge that was solved for it. */
const BOND = { address: "a", proof: "p" } as const;

type Bond = keyof typeof BOND;

/** The text of an id, and the address that it is shown from. */
type Id = { readonly text: string; readonly address: string };

/**
 * Knows visitors again, by a signed id in a cookie.
 *
 * An id is bound to the network in which it was given, or to a challenge that was solved for it. A new
 * one costs a unit of the address's budget. Who has no proof uses the budget of the address, with whichever
 * id: dropping a cookie, or having a thousand, gains nothing.
 *
 * Not a session: it says that it is the same browser, and nothing of who that is.
 */
export class Visitors<const L extends Limits> {
  readonly #limiter: AnyLimiter;
  readonly #settings: VisitorsSettings;
  readonly #stamps: Stamps;

  /** @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind` */
  constructor(limiter: AnyLimiter<L>, options: VisitorsOptions<L>) {
    const settings = checkedVisitors(limiter?.limits, options as VisitorsOptions);
    this.#limiter = limiter;
    this.#settings = settings;
    const ring = new KeyRing("spillway visitor", settings.keys, settings.clock);
    this.#stamps = new Stamps(ring, settings);
  }

  /**
   * Who has sent a request. Where that is nobody who is known, an id is given, if the address has one left.
   *
   * @throws SpillwayError `bad-key` for what is no address; `bad-option` where all keys have ended.
   */
  async enter(request: VisitorRequest): Promise<Visitor> {
    const address = networkOf(request.address);
    const known = await this.#known(request, address);
    if (known !== undefined) return known;
    const decision = await this.#take(this.#asks({ limit: this.#settings.newIds, key: address }));
    return decision.ok ? this.#issue(address, "address") : stranger(address, decision);
  }

  /**
   * Gives an id of its own to whoever has solved a challenge; who has one keeps it. A wrong solution changes nothing
   * and costs nothing, so limit the route.
   *
   * @throws SpillwayError `bad-key`; `unavailable` where the challenge does not answer in time, and whatever it throws.
   */
  async prove(request: ProofRequest): Promise<Visitor> {
    const address = networkOf(request.address);
    const known = await this.#known(request, address);
    if (known?.proved) return known;
    const { challenge, proofs, timeout } = this.#settings;
    const unproved = known ?? stranger(address, undefined);
    if (challenge === undefined || proofs === undefined) return unproved;
    const asks = this.#asks({ limit: proofs, key: address });
    // Before the challenge is spent.
    const left = closed(await this.#limiter.checkAll(asks));
    if (!left.ok) return { ...unproved, refused: left };
    // A body may hold something else than text.
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

  async #issue(address: string, bond: Bond): Promise<Visitor> {
    const id = { text: `${BOND[bond]}.${randomId()}`, address };
    const token = await this.#stamps.stamp({ text: id.text, context: contextOf(id) });
    const { cookie, maxAge } = this.#settings;
    return { ...visitor(id), setCookie: writeCookie(cookie, token, maxAge) };
  }

  #asks(ask: Ask): readonly Ask[] {
    const { network } = this.#settings;
    if (network === undefined) return [ask];
    return [ask, { limit: network.limit, key: networkOf(ask.key, network.ipv6Prefix) }];
  }

  /** An id outlives an outage, and so may not be had for nothing while there is one. */
  async #take(asks: readonly Ask[]): Promise<Decision> {
    return closed(await this.#limiter.limitAll(asks));
  }
}

/** An id that is bound to an address is signed with it, and has it not in it. */
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
