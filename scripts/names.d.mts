/** The library, as programs import it. */
export const LIBRARY: string;

/** The service, which also has the command `spillway`. */
export const SERVER: string;
