/** A file is one subject, short enough to read in one go; what is generated has been read elsewhere. */
import type { Check } from "./finding.ts";
import { filesIn, lineAt } from "./tree.ts";

const MOST_LINES = 350;

export const lengths: Check = (tree) =>
  filesIn(tree, /^packages\/[^/]+\/src\/|^site\/.+\.(?:ts|vue)$/)
    .filter(([file]) => !file.endsWith(".generated.ts"))
    .map(([file, text]) => ({ file, lines: lineAt(text, text.trimEnd().length) }))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ file, lines }) => ({
      file,
      line: MOST_LINES + 1,
      found: `${lines} lines`,
      expected: `at most ${MOST_LINES}: two subjects are two files`,
    }));
