/** Timers on a time that only the test moves. A blocked loop runs none of them. */
export function manualTimers() {
  let now = 0;
  let timers: { readonly at: number; readonly call: () => void }[] = [];
  const turn = () => {
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { call } of due) call();
  };
  return {
    elapsed: () => now,
    afterDelay: (ms: number, call: () => void) => void timers.push({ at: now + ms, call }),
    pending: () => timers.length,
    block: (ms: number) => {
      now += ms;
    },
    turn,
    idle: (ms: number) => {
      for (const end = now + ms; now < end; turn()) now++;
    },
  };
}
