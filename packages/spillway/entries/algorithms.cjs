module.exports = require("../dist/limits/algorithms/index.js");
