/**
 * What the library uses of Nest, in place of its real types while it is compiled: those bring the
 * types of Node, which the library does not rely on. Tests and users have the real ones.
 */
declare module "@nestjs/common" {
  export class HttpException extends Error {
    constructor(response: string | object, status: number, options?: { cause?: unknown });
    getStatus(): number;
    getResponse(): string | object;
  }
  export function Catch(...exceptions: unknown[]): ClassDecorator;
  export function createParamDecorator<Data, Value>(
    factory: (
      data: Data,
      context: import("../src/http/middleware/nest/context.ts").Context,
    ) => Value,
  ): () => ParameterDecorator;
}
