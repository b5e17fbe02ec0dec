import type { FastifyInstance } from "fastify";

/**
 * Makes a closing server answer what has reached it before it cuts its connections: those that ask
 * nothing are not waited for, nor, after `patience` milliseconds, those that never finish asking.
 * Meanwhile new requests get a 503.
 */
export function finishFirst(
  app: FastifyInstance,
  { patience }: { readonly patience: number },
): void {
  let underWay = 0;
  let finished = () => {};
  app.addHook("onRequest", async (_request, { raw }) => {
    underWay++;
    // Comes in every case: after the answer, or when the caller has gone.
    raw.once("close", () => {
      if (--underWay === 0) finished();
    });
  });
  app.addHook("preClose", async () => {
    const done = new Promise<void>((resolve) => {
      finished = resolve;
      // Node no longer watches how long a request takes once its server is closing.
      AbortSignal.timeout(patience).addEventListener("abort", () => resolve());
    });
    if (underWay > 0) await done;
  });
}
