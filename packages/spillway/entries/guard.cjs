module.exports = require("../dist/http/guard/public.js");
