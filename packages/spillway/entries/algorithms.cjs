module.exports = require("../dist/algorithms/index.js");
