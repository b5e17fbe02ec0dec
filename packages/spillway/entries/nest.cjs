module.exports = require("../dist/middleware/nest/index.js");
