import { Host, type HostSettings } from "./host.ts";

/** The hosts of a client: a bounded number, of which the one used longest ago is forgotten first. */
export class Hosts {
  readonly #hosts = new Map<string, Host>();
  readonly #settings: HostSettings;
  readonly #most: number;

  constructor(settings: HostSettings, most: number) {
    this.#settings = settings;
    this.#most = most;
  }

  of(name: string): Host {
    const known = this.#hosts.get(name);
    if (known !== undefined) this.#hosts.delete(name);
    else if (this.#hosts.size >= this.#most) this.#makeRoom();
    const host = known ?? new Host(name, this.#settings);
    this.#hosts.set(name, host);
    return host;
  }

  /**
   * One that is in use stays, or what is known of it would be lost while it matters; and so does one that
   * nothing may be sent to: else a flood of other hosts would lift its refusal. Where that is so of all, the
   * one goes whose time is over first.
   */
  #makeRoom(): void {
    const now = this.#settings.scheduler.elapsed();
    let first: Host | undefined;
    for (const host of this.#hosts.values()) {
      if (!host.isIdle) continue;
      if (first === undefined || host.heldUntil < first.heldUntil) first = host;
      if (first.heldUntil <= now) break;
    }
    if (first !== undefined) this.#hosts.delete(first.name);
  }
}
