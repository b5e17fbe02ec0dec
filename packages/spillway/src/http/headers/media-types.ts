/** In which form a problem is reported: what the client prefers of JSON, HTML and plain text. */
import type { ProblemDocument } from "./problem.ts";

type Form = {
  readonly contentType: string;
  /** Media types that ask for it, the most exact first. */
  readonly types: readonly string[];
  write(problem: ProblemDocument): string;
};

/** Where a client likes several equally, the first. */
const FORMS: readonly [Form, ...Form[]] = [
  {
    contentType: "application/problem+json",
    types: ["application/problem+json", "application/json", "application/*", "*/*"],
    write: json,
  },
  { contentType: "text/html; charset=utf-8", types: ["text/html", "text/*", "*/*"], write: html },
  { contentType: "text/plain; charset=utf-8", types: ["text/plain", "text/*", "*/*"], write: text },
];

/** What is read of an `Accept` header: so many characters, media ranges, and parameters of each. */
const LONGEST = 1000;
const MOST_RANGES = 32;
const MOST_PARAMETERS = 8;

/** A body, and what it is. */
export type Body = {
  readonly contentType: string;
  /** ASCII, as long as the problem's texts are: as many bytes as characters. */
  readonly text: string;
};

/** A problem as the client's `Accept` header wants it; JSON where it wants none of the three. Pure. */
export function problemBody(problem: ProblemDocument, accept: string | undefined): Body {
  const { contentType, write } = formFor(accept);
  return { contentType, text: write(problem) };
}

/** What programs send that take JSON: of `fetch`, of most clients of an API, of Axios. */
const COMMON: ReadonlySet<string> = new Set([
  "*/*",
  "application/json",
  "application/json, text/plain, */*",
]);

function formFor(accept: string | undefined): Form {
  const [first] = FORMS;
  if (accept === undefined || COMMON.has(accept)) return first;
  const ranges = rangesOf(accept.slice(0, LONGEST));
  const liking = (form: Form) => qualityOf(form, ranges);
  const best = FORMS.reduce((best, form) => (liking(form) > liking(best) ? form : best));
  return liking(best) > 0 ? best : first;
}

/** Quality values by media range. */
type Ranges = ReadonlyMap<string, number>;

function rangesOf(accept: string): Ranges {
  return new Map(
    accept.split(",", MOST_RANGES).map((range) => {
      const parts = range.split(";", 1 + MOST_PARAMETERS).map((part) => part.trim().toLowerCase());
      const [type = "", ...parameters] = parts;
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return [type, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
    }),
  );
}

/** That of the most exact range which names it (RFC 9110, 12.5.1). */
function qualityOf({ types }: Form, ranges: Ranges): number {
  const named = types.find((type) => ranges.has(type));
  return named === undefined ? 0 : (ranges.get(named) as number);
}

/**
 * What `JSON.stringify` makes of the whole, in half of its time. All of it is this library's own
 * text, which has nothing to escape, but for the names.
 */
function json(problem: ProblemDocument): string {
  const { type, title, status, detail, "violated-policies": names } = problem;
  const violated = names === undefined ? "" : `,"violated-policies":${listOf(names)}`;
  return `{"type":"${type}","title":"${title}","status":${status},"detail":"${detail}"${violated}}`;
}

/** Nothing to escape. */
const PLAIN = /^[\w .:-]*$/;

function listOf(names: readonly string[]): string {
  const [only = ""] = names;
  return names.length === 1 && PLAIN.test(only) ? `["${only}"]` : JSON.stringify(names);
}

function text({ title, detail }: ProblemDocument): string {
  return `${title}\n${detail}\n`;
}

function html({ title, detail }: ProblemDocument): string {
  return (
    `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>` +
    `<h1>${escaped(title)}</h1><p>${escaped(detail)}</p></html>\n`
  );
}

const ENTITIES: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;" };

function escaped(content: string): string {
  return content.replaceAll(/[&<]/g, (character) => ENTITIES[character] as string);
}
