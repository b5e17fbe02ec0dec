/** What the page's script is made of: a test calls it. */
import { createElement, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { type ValueSnapshot, valueSource } from "../../../src/http/value/index.ts";
import { Page } from "./page.ts";

declare const document: { querySelector(selector: string): HTMLElement };

type Start = { readonly initial?: ValueSnapshot };

/** Shows the page, as React's strict mode does: everything is mounted twice. */
export function start({ initial }: Start): () => void {
  const source = valueSource("/left", { initial });
  const send = source.watch((url: string) => fetch(url, { method: "POST" }));
  const page = createElement(Page, { source, send: () => send("/messages") });
  const strict = createElement(StrictMode, null, page);
  const place = document.querySelector("#root");
  if (initial !== undefined) {
    const root = hydrateRoot(place, strict);
    return () => root.unmount();
  }
  const root = createRoot(place);
  root.render(strict);
  return () => root.unmount();
}
