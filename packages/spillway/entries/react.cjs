module.exports = require("../dist/react/index.js");
