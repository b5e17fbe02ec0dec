const last = new WeakMap<object, Promise<unknown>>();

/**
 * Does work on a connection once what was asked for earlier is done, whether that went well or not.
 *
 * Some drivers queue statements themselves, but then don't ask whether one is late by now, and
 * node-postgres is about to stop doing so.
 */
export function inTurn(connection: object, work: () => PromiseLike<unknown>): Promise<unknown> {
  const before = last.get(connection) ?? Promise.resolve();
  const turn = before.then(work, work);
  last.set(connection, turn);
  return turn;
}
