module.exports = require("../dist/stores/index.js");
