module.exports = require("../dist/internal/support.js");
