/** Colours of code as classes: the policy of the pages allows no styles within a page. */
import { transformerStyleToClass } from "@shikijs/transformers";

type CodeClasses = ReturnType<typeof transformerStyleToClass>;

const KEY = Symbol.for("spillway-site.code-classes");
const shared = globalThis as { [KEY]?: CodeClasses };

/**
 * The transformer that collects the styles of all code of a build.
 *
 * VitePress bundles its configuration, so a module of this build would not be the same there.
 */
export function codeClasses(): CodeClasses {
  shared[KEY] ??= transformerStyleToClass({ classPrefix: "c-" });
  return shared[KEY];
}
