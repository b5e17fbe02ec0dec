module.exports = require("../dist/store/index.js");
