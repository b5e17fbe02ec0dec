-- Asks Spillway about a request, and notes the answer in variables. Loaded by haproxy.cfg.

local ASKED = "http://127.0.0.1:8080/auth/haproxy?refuse=403"

-- The headers that the rules read.
local PASSED = { "x-api-key" }

-- The variables that take headers of the answer.
local NOTED = {
  ["retry-after"] = "txn.spillway_retry_after",
  ["ratelimit"] = "txn.spillway_ratelimit",
  ["ratelimit-policy"] = "txn.spillway_policy",
}

-- Only what is set here reaches Spillway, so that no client can name another request.
local function headers_of(txn)
  local headers = {
    ["host"] = { "localhost" },
    ["x-forwarded-method"] = { txn.f:method() },
    ["x-forwarded-uri"] = { txn.f:url() },
    ["x-forwarded-host"] = { txn.f:req_hdr("host") or "" },
    ["x-forwarded-for"] = { txn.f:src() },
  }
  for _, name in ipairs(PASSED) do
    local value = txn.f:req_hdr(name)
    if value then headers[name] = { value } end
  end
  return headers
end

core.register_action("spillway", { "http-req" }, function(txn)
  local asked = { url = ASKED, headers = headers_of(txn), timeout = 250 }
  local is_sent, answer = pcall(function() return core.httpclient():get(asked) end)
  local headers = is_sent and answer.headers or {}
  -- HAProxy itself answers 503 while Spillway is away. Refusals of Spillway have their status in a
  -- header. Without an answer of Spillway, the status is 0.
  local refused = headers["spillway-status"]
  local passed = is_sent and answer.status == 200 and 200 or 0
  txn:set_var("txn.spillway_status", refused and tonumber(refused[0]) or passed)
  for name, variable in pairs(NOTED) do
    if headers[name] then txn:set_var(variable, headers[name][0]) end
  end
end)
