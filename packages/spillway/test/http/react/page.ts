/** A page with a form that sends messages, as a program would write it: rendered by the server, or not. */
import { createElement, useState } from "react";
import { useLimit } from "../../../src/http/react/index.ts";
import type { ValueSource } from "../../../src/http/value/index.ts";

type Props = {
  readonly source: ValueSource;
  /** Sends a message. */
  readonly send: () => Promise<unknown>;
};

const STYLE = { font: "16px sans-serif", padding: 24, display: "grid", gap: 12, width: 320 };

export function Form({ source, send }: Props) {
  const { status, ok, remaining, capacity, retryAfter } = useLimit(source);
  const wait = `Wait ${Math.ceil(retryAfter / 1000)} s`;
  return createElement(
    "form",
    { style: STYLE, onSubmit: (event: Event) => event.preventDefault() } as object,
    createElement("textarea", { defaultValue: "Hello", rows: 3 }),
    createElement(
      "button",
      { type: "button", disabled: !ok, onClick: () => void send() },
      ok ? "Send" : wait,
    ),
    createElement("progress", { value: remaining, max: capacity }),
    createElement("output", null, status === "loading" ? "…" : `${remaining} of ${capacity} left`),
  );
}

/** The same source twice, and one of them can be taken away. */
export function Page(props: Props) {
  const [isShown, show] = useState(true);
  return createElement(
    "main",
    null,
    createElement("a", { onClick: () => show(!isShown) }, "messages"),
    isShown && createElement(Form, props),
    isShown && createElement(Left, props),
  );
}

function Left({ source }: Props) {
  const { ok } = useLimit(source, 2);
  return createElement("p", null, ok ? "two at once" : "one at a time");
}
