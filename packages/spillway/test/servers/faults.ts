/** What a proxy does wrong at the moment. */
export type Faults = {
  /** Milliseconds by which each piece is late. */
  delay: number;
  /** The next answer ends in its middle, and nothing follows. */
  half: boolean;
  /** Whoever connects is thrown out. */
  refusing: boolean;
  /** Whoever connects hears nothing. */
  hanging: boolean;
  /** Whoever connects has script calls arrive twice. */
  repeating: boolean;
};

export const noFaults = (): Faults => ({
  delay: 0,
  half: false,
  refusing: false,
  hanging: false,
  repeating: false,
});
