import { Host, type HostSettings } from "./host.ts";

/** Hosts that are considered for each new one, where there are too many. */
const CONSIDERED = 16;

/**
 * The hosts of a client: a bounded number, of which one that was used longest ago is forgotten first.
 *
 * One that is in use stays, or what is known of it would be lost while it matters; and so does one that nothing may be
 * sent to: else a flood of other hosts would lift its refusal. They count as used then. Where all that are considered
 * are held, the one goes whose time is over first; where all are in use, there are too many for a while.
 */
export class Hosts {
  /** By account and name. */
  readonly #hosts = new Map<string, Host>();
  /** One iterator goes on and on: a new one would pass all that was deleted before the oldest, each time. */
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

  /** @param account A digest of the credentials that are used there; "" without any. */
  of(name: string, account: string): Host {
    const key = account + name;
    const known = this.#hosts.get(key);
    if (known !== undefined) this.#hosts.delete(key);
    // Also where it is known: what was too many while all were in use is not later on.
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
