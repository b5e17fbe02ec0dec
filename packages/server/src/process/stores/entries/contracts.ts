/** Numbered entries of text in a store, which an audit log is made of. */

/** The number of entries that a store keeps. Older ones are dropped. */
export const MOST_KEPT = 100_000;

/** An entry as a store keeps it: its number, and all of it as JSON. */
export type EntryText = { readonly version: number; readonly text: string };

/** Keeps entries in a store. Every call may reject with an error of the store's driver. */
export type EntryStore = {
  /** The place of the entries, for people, without secrets. */
  readonly where: string;
  /** Returns the JSON of the newest entries, the newest first. */
  readonly newest: (count: number) => Promise<readonly string[]>;
  /**
   * Keeps an entry, and drops old ones. Returns false and changes nothing if the store has an entry
   * of this version or a later one. Indivisible, so each version is given once.
   */
  readonly put: (entry: EntryText) => Promise<boolean>;
  /**
   * Returns the last version of a log whose entries were all removed; 0 if it has entries, or never
   * had any. Absent if the versions of an emptied log begin at 1 again.
   */
  readonly lastOfEmptied?: () => Promise<number>;
  /** Returns why a call has failed, and the remedy if it is known. */
  readonly explain: (error: Error) => string;
  readonly close: () => Promise<void>;
};
