/** Joins the modules of a built package into a few files. */
export function join(folder: string, more?: readonly string[]): Promise<void>;
