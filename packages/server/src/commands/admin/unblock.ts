import { type DescriptorOptions, descriptorOptions } from "../descriptor-options.ts";
import { type AdminCommand, budgetsIn, type ChangeOptions, saidIn } from "./admin-command.ts";
import { changeOptions } from "./admin-options.ts";
import { showChanged } from "./show-budgets.ts";

/** `spillway unblock`: ends blocks. */
export const unblock: AdminCommand = {
  name: "unblock",
  about: "end the blocks of budgets; usage stays",
  options: [...descriptorOptions(), ...changeOptions({ isNeeded: false })],
  call: (options: DescriptorOptions & ChangeOptions) => ({
    path: "unblock",
    body: { ...budgetsIn(options), ...saidIn(options) },
  }),
  show: showChanged,
};
