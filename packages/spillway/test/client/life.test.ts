/** Every row of `life.ts`, with some seeds. Those that are not met yet are listed with what was measured. */
import { ROWS } from "./life.ts";
import { testRows } from "./rows-tests.ts";

testRows(ROWS, {
  "5/s, answers of 5 s, Retry-After, a window": "92 % used",
  "5/s, answers of 20 s, OpenAI's headers": "93 to 95 % used",
  "5/s, answers of 20 s, OpenAI's headers, a small bucket": "50 % used",
  "a route with a limit of its own, Retry-After: 5":
    "92 to 93 % of the others within a second, 48 to 100 % of the route's own",
  "a quota of 60 an hour, untouched, 35 at once": "one of some 39 after 30 s",
  "five under way at most, silent": "75 to 76 % used",
});
