/** Words that have given way to those of the field: one word for one thing. */
import type { Check, Finding } from "./finding.ts";
import { lineAt } from "./tree.ts";

/** `where` has gone only in the files that it matches. Default: in all. */
type Word = { readonly gone: RegExp; readonly say: string; readonly where?: RegExp };

/** All but tests, which may name what they see as they like. */
const PROSE = /^(?:docs|bench|examples|scripts|packages\/[^/]+\/src)\/|^[^/]+\.md$/;

const PAGES = /\.md$/;

// Each is spelled so that it doesn't find itself.
const WORDS: readonly Word[] = [
  { gone: /\bunless[\s*]+said\b/gi, say: '"Default: …", or "by default"' },
  { gone: /\bas good as[\s*]+fresh\b/gi, say: '"fully reset"' },
  { gone: /\bjourney there[ ]and back\b/gi, say: '"round trip"' },
  { gone: /\bsomebody's[ ]transaction\b/gi, say: '"locked by another transaction"' },
  { gone: /\banswers without (?:a|the)[ ]store\b/gi, say: '"fallback decisions"' },
  { gone: /\b(?:is|are) tol[d] of\b/gi, say: '"receives"' },
  { gone: /\bgoes[ ]before\b/gi, say: '"overrides", "takes precedence" or "precedes"' },
  { gone: /\bdoor[s]?\b/gi, say: '"transport" of the service, "index" of a folder' },
  { gone: /\b(?:Questio[n]|Verdic[t])\b/g, say: '"LimitRequest", "LimitResponse"' },
  { gone: /\b(?:adopte[d]|adopt[s]|carried[ ]over)\b/gi, say: '"migrated"', where: PROSE },
  { gone: /\b(?:tell[s]|tol[d])\b/gi, say: '"returns", "reports", "receives"', where: PROSE },
  { gone: /\b(?:looked[ ]at|a[ ]look)\b/gi, say: '"checked", "read"', where: PROSE },
  { gone: /\b(?:unsee[n]|in[ ]silence)\b/gi, say: "what is not noticed, by what", where: PROSE },
  {
    gone: /\b(?:a|each|every|one)[ ]journey\b/gi,
    say: '"round trip"',
    where: PROSE,
  },
  { gone: /\b(?:an|each|every)[ ]ask\b/gi, say: '"a call", "a request"', where: PAGES },
  {
    gone: /\b(?:untake[n]|Sigh[t]|birthplac[e]|noteBirt[h]|Courie[r]|tellSafel[y]|whatItTell[s]|systemLate[r]|ManualLate[r]|Lende[r]|Patienc[e])(?![-\w])/g,
    say: "the field's word",
  },
];

export const words: Check = (tree) =>
  [...tree].flatMap(([file, text]) =>
    /\.(?:ts|md|lua|sql)$/.test(file)
      ? WORDS.filter(({ where }) => where?.test(file) ?? true).flatMap((word) =>
          search({ file, text, word }),
        )
      : [],
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
