module.exports = require("../dist/stores/service/index.js");
