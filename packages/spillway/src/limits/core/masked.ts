/** How messages hide what is, or may be, a secret or a person. Of a text only so much is read, and shown, as is bounded. */

/** What is read of a text, in characters: messages show less. */
const LONGEST_READ = 256;

/** In a URL what is before the last `@` is a user and a password, whatever characters are in it. */
const USERINFO = /:\/\/.*@/s;
/** What is called a secret, and all that follows: nobody knows where it ends. */
const NAMED =
  /((?:passw(?:or)?d|pwd|secret|token|credential|signature|authorization|(?:api|access|private)[-_ ]?key)[\w-]*["']?\s*[=:]\s*|\b(?:bearer|basic|digest)\s).*/is;
/** What Redis repeats of a command that it does not know: of `AUTH` the password, of others keys. */
const REPEATED = /(with args beginning with:).*/is;
const WORD = /\S+/g;
/** In a URL: an IPv6 address, which stays; a colon before no port, and all after it; a query, or a fragment. */
const UNCLEAR = /\[[^\]]*\]|:(?!\d{1,5}(?:[,/]|$)).*$|[?#].*$/gs;
/** What may be a key, a token or a digest. */
const RUN = /[\w+/=~-]{20,}/g;

/**
 * A text without what looks like a secret: users and passwords of URLs, what is named a password or a token,
 * long random texts, what a server repeats of a command; and without what stands before an `@`, such as of whom an address is. Pure.
 *
 * It guesses: a password alone looks like any word. Who knows that a text is a secret shows its shape.
 */
export function masked(text: string): string {
  const read = text.slice(0, LONGEST_READ);
  const named = read.replace(USERINFO, "://***@").replace(NAMED, "$1***");
  const shown = named.replace(REPEATED, "$1 ***").replace(WORD, maskedWord);
  return shown === read ? text : shown;
}

function maskedWord(word: string): string {
  const scheme = word.indexOf("://");
  const start = scheme < 0 ? "" : word.slice(0, scheme + 3);
  const rest = word.slice(start.length);
  const at = rest.lastIndexOf("@");
  const place = rest.slice(at + 1);
  const shown = scheme < 0 ? place : place.replace(UNCLEAR, maskedPart);
  return `${start}${at < 0 ? "" : "***@"}${shown.replace(RUN, maskedRun)}`;
}

function maskedPart(part: string): string {
  return part.startsWith("[") ? part : `${part[0]}***`;
}

/** How many characters of a random text are shown, to know it by. */
const INITIAL = 4;

function maskedRun(run: string): string {
  return isRandom(run) ? `${run.slice(0, INITIAL)}***` : run;
}

const HEXADECIMAL = /^[\da-f-]{32,}$/i;
const SORTS = [/\d/, /[a-z]/, /[A-Z]/] as const;

/** Whether digits, small and capital letters follow each other as in no name: every third is of another sort. */
function isRandom(run: string): boolean {
  const sorts = Array.from(run, (one) => SORTS.findIndex((sort) => sort.test(one)));
  const changes = sorts.filter((sort, index) => {
    const before = sorts[index - 1] ?? -1;
    return sort >= 0 && before >= 0 && sort !== before;
  }).length;
  return sorts.includes(0) && (HEXADECIMAL.test(run) || changes * 3 >= run.length);
}
