export { packageFile } from "./package-file.ts";
export { readBytes } from "./read-bytes.ts";
export { readRuleFiles } from "./rule-files.ts";
export { signatureOf } from "./signature.ts";
export { watchFiles } from "./watch-files.ts";
export { writeByRename } from "./write-file.ts";
