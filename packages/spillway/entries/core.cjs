module.exports = require("../dist/core/index.js");
