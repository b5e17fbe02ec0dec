import { Option } from "commander";
import { MOST_UNITS } from "spillway/support";
import { toWhole } from "../../process/options/index.ts";
import { type DescriptorOptions, descriptorOptions } from "../descriptor-options.ts";
import { type AdminCommand, budgetsIn, type ChangeOptions, saidIn } from "./admin-command.ts";
import { changeOptions, forOption } from "./admin-options.ts";
import { showChanged } from "./show-budgets.ts";

const toUnits = toWhole({ least: 0, most: MOST_UNITS });

type OverrideOptions = DescriptorOptions &
  ChangeOptions & {
    readonly rate?: number;
    readonly capacity?: number;
    readonly unlimited?: true;
    readonly for?: number;
  };

/** `spillway override`: gives budgets definitions of their own. */
export const override: AdminCommand = {
  name: "override",
  about: "give budgets a rate or capacity of their own, for a time or until end-override",
  options: [
    ...descriptorOptions(),
    new Option("--rate <units>", "units that come back in the rule's period").argParser(toUnits),
    new Option("--capacity <units>", "the most units at once").argParser(toUnits),
    new Option("--unlimited", "refuse nothing").conflicts(["rate", "capacity"]),
    forOption(),
    ...changeOptions({ isNeeded: true }),
  ],
  call: (options: OverrideOptions) => {
    const { rate, capacity, unlimited, for: ms } = options;
    const numbers = { rate, capacity, unlimited, for: ms };
    return { path: "override", body: { ...budgetsIn(options), ...numbers, ...saidIn(options) } };
  },
  show: showChanged,
};

/** `spillway end-override`: ends overrides. */
export const endOverride: AdminCommand = {
  name: "end-override",
  about: "end the overrides of budgets; usage stays",
  options: [...descriptorOptions(), ...changeOptions({ isNeeded: false })],
  call: (options: DescriptorOptions & ChangeOptions) => ({
    path: "end-override",
    body: { ...budgetsIn(options), ...saidIn(options) },
  }),
  show: showChanged,
};
