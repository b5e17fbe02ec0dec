import { type DescriptorOptions, descriptorOptions } from "../descriptor-options.ts";
import { type AdminCommand, budgetsIn } from "./admin-command.ts";
import { showBudgets } from "./show-budgets.ts";

/** `spillway get`: reads budgets. */
export const get: AdminCommand = {
  name: "get",
  about: "show what is left in budgets, their modes and their latest change",
  options: descriptorOptions(),
  call: (options: DescriptorOptions) => ({ path: "get", body: budgetsIn(options) }),
  show: showBudgets,
};
