/** VitePress's own theme, with the components that pages name. */
import DefaultTheme from "vitepress/theme-without-fonts";
import type { App } from "vue";
import LimitsPlayground from "./playground/LimitsPlayground.vue";
import ProcessesPlayground from "./playground/ProcessesPlayground.vue";
import SheddingPlayground from "./playground/SheddingPlayground.vue";
import "uplot/dist/uPlot.min.css";
import "./site.css";
import "./playground/playground.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }: { readonly app: App }): void {
    app.component("LimitsPlayground", LimitsPlayground);
    app.component("ProcessesPlayground", ProcessesPlayground);
    app.component("SheddingPlayground", SheddingPlayground);
  },
};
