import { type DescriptorOptions, descriptorOptions } from "../descriptor-options.ts";
import { type AdminCommand, budgetsIn, type ChangeOptions, saidIn } from "./admin-command.ts";
import { changeOptions } from "./admin-options.ts";
import { showChanged } from "./show-budgets.ts";

/** `spillway reset`: forgets what budgets have used. */
export const reset: AdminCommand = {
  name: "reset",
  about: "forget what budgets have used; blocks stay",
  options: [...descriptorOptions(), ...changeOptions({ isNeeded: false })],
  call: (options: DescriptorOptions & ChangeOptions) => ({
    path: "reset",
    body: { ...budgetsIn(options), ...saidIn(options) },
  }),
  show: showChanged,
};
