export { counted, describeLimit, describeRule, listing } from "./listing.ts";
export { allowClosedOutput, printableError, printError } from "./output.ts";
