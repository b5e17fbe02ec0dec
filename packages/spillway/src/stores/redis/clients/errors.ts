/** What is used of an event emitter. */
type Emitter = { on(event: "error", listener: (error: Error) => void): unknown };

type Heard = { last: Error | undefined };

const heard = new WeakMap<Emitter, Heard>();

/**
 * Listens to a client's errors, once for each client: one that nobody listens to ends the process, or
 * is printed. What matters of them is told by the store's own events.
 */
export function listen(client: Emitter): Readonly<Heard> {
  const known = heard.get(client);
  if (known !== undefined) return known;
  const errors: Heard = { last: undefined };
  heard.set(client, errors);
  client.on("error", (error) => {
    errors.last = error;
  });
  return errors;
}
