/** Hides secrets and personal data in messages. How much of a text is read and shown is bounded. */

/** The number of characters read of a text. Messages show fewer. */
const LONGEST_READ = 256;

/** In a URL, everything before the last `@` is a user and a password, with any characters. */
const USERINFO = /:\/\/.*@/s;
/** A named secret, and everything after it: its end is unknown. */
const NAMED = /* @__PURE__ */ namedSecret();
/** Redis repeats unknown commands: for `AUTH` the password, for others keys. */
const REPEATED = /(with args beginning with:).*/is;
const WORD = /\S+/g;
/**
 * In a URL: an IPv6 address, which stays; a colon not followed by a port, with everything after it;
 * a query, or a fragment.
 */
const UNCLEAR = /\[[^\]]*\]|:(?!\d{1,5}(?:[,/]|$)).*$|[?#].*$/gs;
/** A possible key, token or digest. */
const RUN = /[\w+/=~-]{20,}/g;

function namedSecret(): RegExp {
  return new RegExp(
    "((?:passw(?:or)?d|pwd|secret|token|credential|signature|authorization" +
      "|(?:api|access|private)[-_ ]?key)" +
      String.raw`[\w-]*["']?\s*[=:]\s*|\b(?:bearer|basic|digest)\s).*`,
    "is",
  );
}

/**
 * Returns a text with secrets masked: users and passwords in URLs, named passwords and tokens, long
 * random texts, and commands repeated by a server. The local part of mail addresses is masked too.
 * Pure.
 *
 * It guesses: a password alone looks like any word. For a text known to be secret, show its shape
 * instead.
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

/** The number of characters shown of a random text, to recognize it. */
const INITIAL = 4;

function maskedRun(run: string): string {
  return isRandom(run) ? `${run.slice(0, INITIAL)}***` : run;
}

const HEXADECIMAL = /^[\da-f-]{32,}$/i;
const SORTS = [/\d/, /[a-z]/, /[A-Z]/] as const;

/**
 * Whether a text looks random: every third character is of another class (digits, lower case, upper
 * case) than the one before it.
 */
function isRandom(run: string): boolean {
  const sorts = Array.from(run, (one) => SORTS.findIndex((sort) => sort.test(one)));
  const changes = sorts.filter((sort, index) => {
    const before = sorts[index - 1] ?? -1;
    return sort >= 0 && before >= 0 && sort !== before;
  }).length;
  return sorts.includes(0) && (HEXADECIMAL.test(run) || changes * 3 >= run.length);
}
