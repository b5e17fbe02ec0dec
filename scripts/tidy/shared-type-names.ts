/** Type names that several files of the library may export, each for a reason. */
export type SharedName = { readonly name: string; readonly why: string };

/** How many there may be: whoever adds one finds a better name first. */
export const MOST_SHARED = 15;

export const SHARED_NAMES: readonly SharedName[] = [
  {
    name: "Limited",
    why: "public: the request, or the state, that each framework's middleware has decided on",
  },
];
