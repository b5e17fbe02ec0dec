module.exports = require("../dist/stores/postgres/index.js");
