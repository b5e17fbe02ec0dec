/** Whether the page is visible. */

/** The used part of a page; undefined outside of browsers. */
declare const document:
  | {
      readonly visibilityState: string;
      addEventListener(type: "visibilitychange", call: () => void): void;
      removeEventListener(type: "visibilitychange", call: () => void): void;
    }
  | undefined;

const page = () => (typeof document === "object" ? document : undefined);
export const isHidden = () => page()?.visibilityState === "hidden";
export const watchVisibility = (call: () => void) =>
  page()?.addEventListener("visibilitychange", call);
export const unwatchVisibility = (call: () => void) =>
  page()?.removeEventListener("visibilitychange", call);
