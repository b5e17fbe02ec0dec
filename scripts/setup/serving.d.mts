/** Whether a version of Node, such as "22.18.0", can build and serve. */
export function isNewEnough(version: string): boolean;
