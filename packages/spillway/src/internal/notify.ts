/** Notifies a listener, whatever it does: a fault of it must not become a fault of an answer. */
export function notify<Event>(
  listener: ((event: Event) => unknown) | undefined,
  event: Event,
): void {
  try {
    const heard = listener?.(event);
    if (heard instanceof Promise) heard.catch(() => {});
  } catch {
    // It is somebody else's code.
  }
}
