/** Words that have given way to those of the field: one word for one thing. */
import type { Check, Finding } from "./finding.ts";
import { lineAt } from "./tree.ts";

type Word = { readonly gone: RegExp; readonly say: string };

// Each is spelled so that it doesn't find itself.
const WORDS: readonly Word[] = [
  { gone: /\bunless[ ]said\b/gi, say: '"Default: …", or "by default"' },
  { gone: /\bas good as[ ]fresh\b/gi, say: '"fully reset"' },
  { gone: /\bjourney there[ ]and back\b/gi, say: '"round trip"' },
  { gone: /\bsomebody's[ ]transaction\b/gi, say: '"locked by another transaction"' },
  { gone: /\banswers without (?:a|the)[ ]store\b/gi, say: '"fallback decisions"' },
  { gone: /\b(?:is|are) told[ ]of\b/gi, say: '"receives"' },
  {
    gone: /\b(?:untake[n]|Sigh[t]|birthplac[e]|noteBirt[h]|Courie[r])(?![-\w])/g,
    say: "the field's word",
  },
];

export const words: Check = (tree) =>
  [...tree].flatMap(([file, text]) =>
    /\.(?:ts|md|lua|sql)$/.test(file) ? WORDS.flatMap((word) => search({ file, text, word })) : [],
  );

type Search = { readonly file: string; readonly text: string; readonly word: Word };

function search({ file, text, word }: Search): Finding[] {
  return [...text.matchAll(word.gone)].map(({ 0: found, index }) => ({
    file,
    line: lineAt(text, index),
    found,
    expected: word.say,
  }));
}
