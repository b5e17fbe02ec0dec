/** The use cases that every door calls. */
export type { Descriptor, Outcome, Question, Verdict } from "./question.ts";
export { createService, type Service, type ServiceOptions } from "./service.ts";
