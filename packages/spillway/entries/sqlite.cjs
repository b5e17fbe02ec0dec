module.exports = require("../dist/stores/sqlite/index.js");
