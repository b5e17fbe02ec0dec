import { type DescriptorOptions, descriptorOptions } from "../descriptor-options.ts";
import { type AdminCommand, budgetsIn, type ChangeOptions, saidIn } from "./admin-command.ts";
import { changeOptions, forOption } from "./admin-options.ts";
import { showChanged } from "./show-budgets.ts";

type BlockOptions = DescriptorOptions & ChangeOptions & { readonly for: number };

/** `spillway block`: refuses everything on budgets for a time. */
export const block: AdminCommand = {
  name: "block",
  about: "refuse everything on budgets for a time",
  options: [
    ...descriptorOptions(),
    forOption().makeOptionMandatory(),
    ...changeOptions({ isNeeded: true }),
  ],
  call: (options: BlockOptions) => ({
    path: "block",
    body: { ...budgetsIn(options), for: options.for, ...saidIn(options) },
  }),
  show: showChanged,
};
