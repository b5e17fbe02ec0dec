-- Transactions of the caller's. `xact` is '' outside of them; inside the transaction's id, or '0' before that is known.
--
-- A connection goes back to its pool when its transaction is over. What is asked after that, as on a lease that was
-- taken in it, arrives in whichever transaction the connection is used for then.

-- What a reply ends with: the id of the caller's transaction. Null where this is another one.
create function v.reply_end(xact text) returns text language sql volatile as $$
  select case when xact = '' then ''
    when xact = '0' or xact = pg_current_xact_id_if_assigned()::text then ' ' || pg_current_xact_id() end $$;

-- The same for what only reads, which gives a transaction no id.
create function v.read_reply_end(xact text) returns text language sql stable as $$
  select case when xact = '' then '' when xact = '0' or xact = pg_current_xact_id_if_assigned()::text
    then ' ' || coalesce(pg_current_xact_id_if_assigned()::text, '0') end $$;
