/** Tells, whatever the listener does with it: a fault of it must not become a fault of an answer. */
export function tellSafely<Event>(
  listener: ((event: Event) => unknown) | undefined,
  event: Event,
): void {
  try {
    const told = listener?.(event);
    if (told instanceof Promise) told.catch(() => {});
  } catch {
    // It is somebody else's code.
  }
}
