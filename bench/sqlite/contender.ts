/** One way of counting in a SQLite file, set up and asked the way its users do it. */
export type Contender<A = unknown> = {
  readonly name: string;
  /** Sets it up on a file of its own, which is not there yet. */
  open(path: string): Promise<Ask<A>>;
  /** Whether an answer is the one that is due. */
  isDue(answer: A): boolean;
};

/** Asks for one unit of a key. */
export type Ask<A> = (key: string) => A | Promise<A>;
