/** Files of tests that run in one process load a module once: a hook at its top is only the first file's. */
import type { Check } from "./finding.ts";
import { lineAt } from "./tree.ts";

const HOOK = /^(?:before|after|around)(?:Each|All)\(/gm;

export const hooks: Check = (tree) =>
  [...tree]
    .filter(([file]) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap(([file, text]) =>
      [...text.matchAll(HOOK)].map(({ 0: found, index }) => ({
        file,
        line: lineAt(text, index),
        found,
        expected: "a hook within a function that each file of tests calls, or `onTestFinished`",
      })),
    );
