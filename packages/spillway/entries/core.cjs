module.exports = require("../dist/limits/core/index.js");
