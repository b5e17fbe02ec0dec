/** Refusals as exceptions of Nest, and an exception filter that answers them. */
import { Catch, HttpException } from "@nestjs/common";
import { answer, type Refusal } from "../../guard/index.ts";
import { type NestContext, reader, type UncheckedNestResponse } from "./context.ts";

/**
 * A refusal. Its response is the problem document; its headers are already on the response.
 *
 * Its cause is a `RateLimitError`, or the error that a function of the route has thrown.
 */
export class RefusalException extends HttpException {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super({ ...refusal.problem }, refusal.status, { cause: refusal.error() });
    this.refusal = refusal;
  }
}

/**
 * Answers refusals as JSON, HTML or plain text, according to `Accept`. Nest's own filter always
 * sends JSON.
 *
 * @example
 * app.useGlobalFilters(new RefusalFilter());
 */
export class RefusalFilter {
  catch({ refusal }: RefusalException, host: Pick<NestContext, "switchToHttp">): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest(), http.getResponse()];
    if (response.raw === undefined) {
      answer(request as never, response as never, refusal);
    } else reply(response, refusal, reader.header(request, "accept"));
  }
}

Catch(RefusalException)(RefusalFilter);

/** Sends bytes. Fastify would add a charset to a text, which JSON types do not have. */
function reply(
  response: UncheckedNestResponse,
  refusal: Refusal,
  accept: string | undefined,
): void {
  const { contentType, text } = refusal.body(accept);
  response.code(refusal.status);
  response.header("Content-Type", contentType);
  response.send(encoder.encode(text));
}

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

const encoder = new TextEncoder();
