module.exports = require("../dist/http/headers/public.js");
