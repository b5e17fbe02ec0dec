/** Where things are in a clone. */
export const ON_WINDOWS: boolean;
/** The repository. */
export const ROOT: string;
