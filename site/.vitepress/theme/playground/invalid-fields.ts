/** Fields of a playground that are not valid: while there is one, its pictures are of the setup before. */
import {
  computed,
  type InjectionKey,
  inject,
  onUnmounted,
  provide,
  reactive,
  ref,
  watch,
} from "vue";

const INVALID: InjectionKey<Set<symbol>> = Symbol("invalid fields");

/** Returns whether a field of the components inside is not valid. */
export function useInvalidFields() {
  const invalid = reactive(new Set<symbol>());
  provide(INVALID, invalid);
  return computed(() => invalid.size > 0);
}

/** Returns what is wrong with a field: nothing at first. */
export function useProblem() {
  const invalid = inject(INVALID, undefined);
  const field = Symbol("field");
  const problem = ref("");
  const note = (text: string) => (text === "" ? invalid?.delete(field) : invalid?.add(field));
  watch(problem, note, { flush: "sync" });
  onUnmounted(() => invalid?.delete(field));
  return problem;
}
