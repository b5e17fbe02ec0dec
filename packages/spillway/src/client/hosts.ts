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
    else this.#makeRoom();
    const host = known ?? new Host(name, this.#settings);
    this.#hosts.set(name, host);
    return host;
  }

  /** One that is in use stays, or what is known of it would be lost while it matters. */
  #makeRoom(): void {
    if (this.#hosts.size < this.#most) return;
    for (const [name, host] of this.#hosts) {
      if (!host.isIdle) continue;
      this.#hosts.delete(name);
      return;
    }
  }
}
