module.exports = require("../dist/http/react/index.js");
