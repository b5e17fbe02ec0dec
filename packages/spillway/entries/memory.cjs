module.exports = require("../dist/stores/memory/public.js");
