-- A state as a reply tells it: used, now - since and unsettled; previous and blocked until, where they
-- are not 0.
create function spillway.told(
  used double precision, since double precision, previous double precision,
  unsettled double precision, blocked_until double precision, now double precision
) returns text language sql immutable as $$
  select used::bigint || ',' || (now - since)::bigint || ',' || unsettled::bigint
    || case when previous = 0 and blocked_until = 0 then ''
      else ',' || previous::bigint || ',' || blocked_until::bigint end
$$;
