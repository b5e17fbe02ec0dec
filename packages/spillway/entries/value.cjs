module.exports = require("../dist/value/index.js");
