/** The state of the playground: the setup, what it plays to, and the address that says it all. */
import { computed, onMounted, onUnmounted, ref, shallowRef, watch } from "vue";
import { limitsPlayer } from "../../../engine/index.ts";
import {
  addressOf,
  DEFAULT,
  fitsAddress,
  type LeastNumber,
  type PlayedColumns,
  readAddress,
  type Setup,
} from "../../../model/index.ts";

/** Milliseconds after the last change until the address says it: browsers bound how often that may be. */
const ADDRESS_DELAY = 200;

/** A span of time that is shown, in milliseconds; undefined shows all. */
export type Span = { readonly from: number; readonly to: number };

/** @param start The setup to begin with, in place of the one in the address. */
export function usePlayground(start?: Setup) {
  const setup = shallowRef<Setup>(start ?? DEFAULT);
  const plays = shallowRef<readonly PlayedColumns[]>([]);
  const instants = shallowRef(new Float64Array());
  const least = shallowRef<readonly (LeastNumber | undefined)[]>([]);
  const problems = shallowRef<readonly string[]>([]);
  const span = shallowRef<Span>();
  const instant = ref(0);
  const took = ref(0);
  const failure = ref("");
  let player: ReturnType<typeof limitsPlayer> | undefined;

  onMounted(() => {
    player = limitsPlayer({
      receive: (answer) => {
        if ("least" in answer) least.value = answer.least;
        else {
          plays.value = answer.plays;
          instants.value = answer.instants;
          took.value = answer.took;
        }
        failure.value = "";
      },
      fail: (problem) => {
        failure.value = problem;
      },
    });
    if (start === undefined) fromAddress();
    retry();
  });
  onUnmounted(() => player?.close());

  function fromAddress(): void {
    const read = readAddress(location.search);
    setup.value = read.setup;
    problems.value = read.problems;
  }

  function change(part: Partial<Setup>): void {
    problems.value = [];
    setup.value = { ...setup.value, ...part };
  }

  /** Replaces the whole setup, and shows all of its time. */
  function begin(whole: Setup): void {
    problems.value = [];
    span.value = undefined;
    setup.value = whole;
  }

  const retry = () => player?.play(setup.value);
  watch(setup, retry);
  if (start === undefined) keepAddress(setup);

  const end = computed(() => Math.max(1, ...plays.value.map((play) => play.end)));
  const shown = computed(() => span.value ?? { from: 0, to: end.value });
  const played = { plays, instants, least, end, took };
  const state = { setup, problems, failure, span, shown, instant };
  return { ...played, ...state, change, begin, retry };
}

function keepAddress(setup: { readonly value: Setup }): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  watch(
    () => setup.value,
    (value) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!fitsAddress(value)) return;
        history.replaceState(history.state, "", `?${addressOf(value)}${location.hash}`);
      }, ADDRESS_DELAY);
    },
  );
  onUnmounted(() => clearTimeout(timer));
}
