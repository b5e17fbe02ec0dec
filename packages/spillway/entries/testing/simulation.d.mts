export * from "../../types/testing/simulation/index.js";
