/** A refusal as Nest's exception filters see it, and a filter that answers it. */
import { Catch, HttpException } from "@nestjs/common";
import { answer, type Refusal } from "../../guard/index.ts";
import { type Context, type LooseResponse, reader } from "./context.ts";

/**
 * A refusal: its response is the problem document, its cause a `RateLimitError`, or what a function of
 * the route has thrown. Its headers are on the response already.
 */
export class RefusalException extends HttpException {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super({ ...refusal.problem }, refusal.status, { cause: refusal.error() });
    this.refusal = refusal;
  }
}

/**
 * Answers refusals as JSON, HTML or plain text, by `Accept`. Nest's own filter sends JSON to all.
 *
 * @example
 * app.useGlobalFilters(new RefusalFilter());
 */
export class RefusalFilter {
  catch({ refusal }: RefusalException, host: Pick<Context, "switchToHttp">): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest(), http.getResponse()];
    if (response.raw === undefined) {
      answer(request as never, response as never, refusal);
    } else reply(response, refusal, reader.header(request, "accept"));
  }
}

Catch(RefusalException)(RefusalFilter);

/** Of text, Fastify would say in which charset it is, which types of JSON don't have. */
function reply(response: LooseResponse, refusal: Refusal, accept: string | undefined): void {
  const { contentType, text } = refusal.body(accept);
  response.code(refusal.status);
  response.header("Content-Type", contentType);
  response.send(encoder.encode(text));
}

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

const encoder = new TextEncoder();
