module.exports = require("../dist/sockets/index.js");
