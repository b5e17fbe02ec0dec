/** What all of it takes on a disk, in MB. */
export const ALL_MB: number;
export function setup(): Promise<void>;
