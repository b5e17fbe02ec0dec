module.exports = require("../dist/stores/telemetry/index.js");
