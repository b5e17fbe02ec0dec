/** The register of a store: which keys have exceptions, and why. */

/** The reason of one exception, under an id. */
export type RegisterEntry = {
  /** At most 8 kB of ASCII without quotes, spaces or control characters. */
  readonly id: string;
  /** At most 200 UTF-16 units, well formed and without control characters; empty for none. */
  readonly reason: string;
  /** Distinguishes this writing of the entry from others: a whole number from 1 to 2⁵³ − 1. */
  readonly revision: number;
};

/** The commands of a register: for each verb its fields, and its answer. */
export type RegisterVerbs = {
  /**
   * Writes an entry in place of any with its id. It may be removed `ms` from now: 1 to 101 years.
   * It is kept as long as the one before, if that is longer.
   */
  put: {
    command: {
      readonly entry: RegisterEntry;
      readonly ms: number;
    };
    answer: undefined;
  };
  /** Removes the entry with an id if it has this revision. */
  remove: { command: Pick<RegisterEntry, "id" | "revision">; answer: undefined };
  /**
   * Returns at most `most` entries, 1 to 1000, whose ids are above `after` and below `before`, in
   * the order of the ids' characters.
   */
  list: {
    command: { readonly after: string; readonly before: string; readonly most: number };
    answer: readonly (RegisterEntry & {
      /** When it was written, in milliseconds since 1970, by the store's clock. */
      readonly since: number;
    })[];
  };
};

/** The command of a register with one of some verbs. Its limit is for the messages of errors. */
export type RegisterCommandOf<V extends keyof RegisterVerbs> = {
  [K in V]: { readonly verb: K; readonly limit?: string | undefined } & RegisterVerbs[K]["command"];
}[V];

/** A command of a register: plain data, all of which has been checked. */
export type RegisterCommand = RegisterCommandOf<keyof RegisterVerbs>;

/** The answer to a command of a register. */
export type RegisterAnswer<C extends RegisterCommand> = RegisterVerbs[C["verb"]]["answer"];
