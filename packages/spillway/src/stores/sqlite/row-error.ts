/** What a row holds can't be understood: somebody else has written it. */
export class RowError extends Error {
  override readonly name = "RowError";
}
