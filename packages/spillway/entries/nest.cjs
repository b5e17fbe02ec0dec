module.exports = require("../dist/http/middleware/nest/index.js");
