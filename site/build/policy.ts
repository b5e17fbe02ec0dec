/** Makes built pages work under a strict content security policy. All functions are pure. */
import { createHash } from "node:crypto";

/**
 * The policy of every page: nothing from elsewhere, no script and no style within a page.
 *
 * Pages carry it themselves, so it holds on every host. A host may send the same as a header.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Icons of the theme are pictures in its style sheet.
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The style sheet of highlighted code, and the picture of the site, which every page loads. */
export const CODE_STYLES = "assets/code.css";
export const ICON = "icon.svg";

/** A page, and the scripts that were in it, by the names of their files. */
export type OutlinedPage = {
  readonly html: string;
  readonly scripts: ReadonlyMap<string, string>;
};

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g;

/** Styles that VitePress writes into pages; `theme/site.css` has the same. */
const KNOWN_STYLES = / style="(?:position:relative;|--vp-vh:0px;)"/g;

/**
 * Moves the scripts of a page into files, removes styles within it, and adds the policy.
 *
 * @param toRoot The way from the page to the site's root, such as "../".
 * @throws if the page has a style that the policy would not let it have
 */
export function outlined(html: string, toRoot: string): OutlinedPage {
  const scripts = new Map<string, string>();
  const moved = html.replace(INLINE_SCRIPT, (_, attributes: string, code: string) => {
    const name = `assets/inline.${createHash("sha256").update(code).digest("hex").slice(0, 12)}.js`;
    scripts.set(name, code);
    return `<script${attributes} src="${toRoot}${name}"></script>`;
  });
  const plain = moved.replace(KNOWN_STYLES, "");
  const [style] = /<\w[^>]* style="[^"]*"/.exec(plain) ?? [];
  if (style !== undefined) throw new Error(`a style in a page: ${style}. Expected a class`);
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<link rel="icon" type="image/svg+xml" href="${toRoot}${ICON}">`,
    `<link rel="stylesheet" href="${toRoot}${CODE_STYLES}">`,
  ].join("\n    ");
  return { html: plain.replace('<meta charset="utf-8">', `$&\n    ${head}`), scripts };
}
