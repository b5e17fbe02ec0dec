/** A deadline as an option of a store; left out where there is none, so that its default applies. */
export function deadlineOf(ms: number | undefined): { readonly deadline?: number } {
  return ms === undefined ? {} : { deadline: ms };
}
