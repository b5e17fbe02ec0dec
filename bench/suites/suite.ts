/** One number: what it is of, how much, of what. */
export type Measured = { readonly name: string; readonly value: number; readonly unit: string };

/** Numbers that can be compared; the first is this project's, which the others are held against. */
export type Group = { readonly title: string; readonly rows: readonly Measured[] };

/** Where a suite tells how far it is, a line at a time. */
export type Progress = (line: string) => void;

/** Measures, and tells how far it is. */
export type Suite = (progress: Progress) => Promise<readonly Group[]>;
