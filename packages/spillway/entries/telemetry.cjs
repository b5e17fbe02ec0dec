module.exports = require("../dist/telemetry/index.js");
