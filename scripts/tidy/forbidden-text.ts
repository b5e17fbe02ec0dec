/** What belongs to one machine, or one registry, stays out of the repository. */
import type { Check, Finding } from "./finding.ts";
import { lineAt } from "./tree.ts";

type Rule = { readonly text: RegExp; readonly expected: string };

// Each is spelled so that it doesn't find itself.
const RULES: readonly Rule[] = [
  {
    text: /\bregistry\.(?:[\w-]+\.)+(?:com|dev|io|net|org)\b|\bnpm\.pkg\.github\.com\b/g,
    expected: "no registry's address: whoever installs has their own",
  },
  {
    text: /"resolved": "[a-z+]+:\/\/[^"]*/g,
    expected: "a lockfile without addresses (.npmrc: omit-lockfile-registry-resolved)",
  },
  {
    text: /(?<![\w.~/-])(?:\/(?:work|root|home|Users)|[A-Z]:[\\/]Users)[\\/][^\s"'`)]*/g,
    expected: "a path that exists on every machine",
  },
];

export const forbiddenText: Check = (tree) =>
  [...tree].flatMap(([file, text]) => RULES.flatMap((rule) => search({ file, text, rule })));

type Search = { readonly file: string; readonly text: string; readonly rule: Rule };

function search({ file, text, rule }: Search): Finding[] {
  return [...text.matchAll(rule.text)].map(({ 0: found, index }) => ({
    file,
    line: lineAt(text, index),
    found,
    expected: rule.expected,
  }));
}
