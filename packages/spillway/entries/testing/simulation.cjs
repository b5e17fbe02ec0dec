module.exports = require("../../dist/testing/simulation/index.js");
