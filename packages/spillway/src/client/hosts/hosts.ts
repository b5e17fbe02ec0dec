import { Host, type HostSettings } from "./host.ts";

/**
 * The maximum number of hosts that are examined for eviction each time a host is looked up while
 * there are too many.
 */
const CONSIDERED = 16;

/**
 * The hosts of a client, bounded in number: the least recently used one is forgotten first.
 *
 * Two kinds of hosts stay: those in use, because what is known of them still matters; and those
 * that nothing may be sent to. Otherwise a flood of other hosts would lift their pause. Both count
 * as used when they are examined. If all that are examined must stay, the idle one whose pause ends
 * first is forgotten. If all are in use, there are too many for a while.
 */
export class Hosts {
  /** Hosts by account and name, the least recently used first. */
  readonly #hosts = new Map<string, Host>();
  /**
   * One iterator serves all calls. A new one would skip all entries deleted before the oldest, each
   * time.
   */
  #oldest = this.#hosts.entries();
  readonly #settings: HostSettings;
  readonly #most: number;

  constructor(settings: HostSettings, most: number) {
    this.#settings = settings;
    this.#most = most;
  }

  get size(): number {
    return this.#hosts.size;
  }

  /**
   * Returns a host, and creates it if it is unknown. Counts as a use.
   *
   * @param account A digest of the credentials that are used there; "" if there are none.
   */
  of(name: string, account: string): Host {
    const key = account + name;
    const known = this.#hosts.get(key);
    if (known !== undefined) this.#hosts.delete(key);
    // Done for a known host too: it removes the excess from a time when all hosts were in use.
    if (this.#hosts.size >= this.#most) this.#makeRoom();
    const host = known ?? new Host(name, this.#settings);
    this.#hosts.set(key, host);
    return host;
  }

  #makeRoom(): void {
    const now = this.#settings.scheduler.elapsed();
    let first: { readonly key: string; readonly until: number } | undefined;
    for (let considered = 0; considered < CONSIDERED; considered++) {
      const [key, host] = this.#next();
      const until = host.isIdle ? host.keptUntil : Number.POSITIVE_INFINITY;
      this.#hosts.delete(key);
      if (until > now) this.#hosts.set(key, host);
      else if (this.#hosts.size < this.#most) return;
      if (until > now && until < (first?.until ?? Number.POSITIVE_INFINITY)) first = { key, until };
    }
    if (first !== undefined && this.#hosts.size >= this.#most) this.#hosts.delete(first.key);
  }

  #next(): [string, Host] {
    const next = this.#oldest.next();
    if (next.done !== true) return next.value;
    this.#oldest = this.#hosts.entries();
    return this.#oldest.next().value as [string, Host];
  }
}
