/**
 * Regular expressions that take the same time for each character, whatever the text is: each is
 * made into a deterministic automaton when its file is read.
 */
import { createRequire } from "node:module";
import type { DFA } from "refa";

/** Loads the library with the first pattern: it takes 30 ms and 15 MB, and most rules have none. */
function loaded(): typeof import("refa") {
  return createRequire(import.meta.url)("refa");
}

/** An automaton as plain data, so that threads can pass it on. */
export type Automaton = {
  /** The class of each character from 0 to 255. Others match nothing. */
  readonly classes: Uint8Array;
  /** The number of classes. */
  readonly width: number;
  /** The next state, by state and class. State 0 matches nothing, and 1 is the first. */
  readonly next: Uint16Array;
  /** 1 for each state in which the text matches. */
  readonly final: Uint8Array;
};

/** The maximum number of states: each costs memory, and time when files are read. */
export const MOST_STATES = 500;

const CHARACTERS = 256;

/**
 * Makes an automaton that matches whole texts of Latin-1 characters, as headers have. Pure.
 *
 * @throws Error for a pattern with assertions or backreferences, or that needs too many states.
 */
export function automatonOf(pattern: string, { ignoresCase }: { readonly ignoresCase: boolean }) {
  const { DFA, JS, NFA } = loaded();
  const literal = { source: pattern, flags: ignoresCase ? "is" : "s" };
  const parser = JS.Parser.fromLiteral(literal);
  const parsed = parser.parse({ assertions: "throw", backreferences: "throw" });
  const limits = new NFA.LimitedNodeFactory(4 * MOST_STATES);
  const { expression, maxCharacter } = parsed;
  const nfa = NFA.fromRegex(expression, { maxCharacter }, { assertions: "throw" }, limits);
  const dfa = DFA.fromFA(nfa, new DFA.LimitedNodeFactory(MOST_STATES));
  dfa.minimize();
  return tableOf(dfa);
}

type State = DFA["initial"];

function tableOf(dfa: DFA): Automaton {
  const others = [...dfa.nodes()].filter((state) => state !== dfa.initial);
  const states = [dfa.initial, ...others];
  const numbers = new Map(states.map((state, index) => [state, index + 1]));
  const columns = Array.from({ length: CHARACTERS }, (_, code) =>
    [0, ...states.map(({ out }) => numbers.get(out.get(code) as State) ?? 0)].map(Number),
  );
  const known = new Map<string, number>();
  const classes = Uint8Array.from(columns, (column) => {
    const text = column.join();
    const number = known.get(text) ?? known.size;
    known.set(text, number);
    return number;
  });
  const width = known.size;
  const next = new Uint16Array((states.length + 1) * width);
  for (const [code, column] of columns.entries()) {
    for (const [state, to] of column.entries()) next[state * width + (classes[code] ?? 0)] = to;
  }
  const final = Uint8Array.from([0, ...states.map((state) => Number(dfa.finals.has(state)))]);
  return { classes, width, next, final };
}

/** Whether a whole text matches. Pure. */
export function matchesAll({ classes, width, next, final }: Automaton, text: string): boolean {
  let state = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= CHARACTERS) return false;
    state = next[state * width + (classes[code] as number)] as number;
    if (state === 0) return false;
  }
  return final[state] === 1;
}
