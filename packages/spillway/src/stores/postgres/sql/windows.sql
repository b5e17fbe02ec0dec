-- The grid of windows that fixed and sliding windows share.

-- How many windows have ended since one began; 0 while it lasts.
create function spillway.windows_gone(
  since double precision, period double precision, now double precision
) returns double precision language sql immutable as $$
  select case when now - since < period then 0 else floor((now - since) / period) end
$$;

-- The beginning of the window that holds an instant, where some window begins at `anchor`.
create function spillway.window_start(
  anchor double precision, period double precision, at double precision
) returns double precision language sql immutable as $$
  select at - (((at - anchor)::bigint % period::bigint) + period::bigint) % period::bigint
$$;
