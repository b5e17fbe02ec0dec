/** A deadline as stores take it, where one was said; else they have their own. */
export function deadlineOf(ms: number | undefined): { readonly deadline?: number } {
  return ms === undefined ? {} : { deadline: ms };
}
