module.exports = require("../dist/stores/memory/index.js");
