module.exports = require("../dist/shedding/index.js");
