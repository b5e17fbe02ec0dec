-- Token bucket: `gain` parts drip back each millisecond. Leaky buckets count the same.

-- Parts missing at `now`.
create function spillway.bucket_used(
  used double precision, since double precision, gain double precision, now double precision
) returns double precision language sql immutable as $$
  select greatest(0, used - greatest(0, now - since) * gain)
$$;

-- From when on nothing is missing of a state that is as it is at `now`; infinite where nothing drips.
create function spillway.bucket_fresh_at(
  used double precision, since double precision, gain double precision, now double precision
) returns double precision language sql immutable as $$
  select case when used = 0 then now
    else greatest(since, now) + coalesce(ceil(used / nullif(gain, 0)), 'Infinity') end
$$;
