-- Whoever owns the schema, or has made something in it, or may make something in it, has code run with the rights
-- of all who migrate and ask. That may be this role, a role that it is a member of, the owner of the database, or a
-- superuser. That this role itself is a superuser makes nobody else trustworthy.
with recursive own(role) as (
  select oid from pg_roles where rolname = current_user
  union select roleid from pg_auth_members join own on member = own.role
), trusted(role) as (
  select role from own
  union select oid from pg_roles where rolsuper
  union select datdba from pg_database where datname = current_database()
  -- Of which the owner of the database is the only member, and which owns `public` from version 15 on.
  union select oid from pg_roles where rolname = 'pg_database_owner'
), made(thing, owner) as (
  select 'the schema', nspowner from pg_namespace where nspname = 'spillway'
  union all select format('its %s', relname), relowner from pg_class
    where relnamespace = 'spillway'::regnamespace
  union all select format('its function %s', proname), proowner from pg_proc
    where pronamespace = 'spillway'::regnamespace
  union all select format('its type %s', typname), typowner from pg_type
    where typnamespace = 'spillway'::regnamespace and typelem = 0
  union all select 'the right to create in it', acl.grantee
    from pg_namespace, aclexplode(nspacl) as acl
    where nspname = 'spillway' and acl.privilege_type = 'CREATE' and acl.grantee = 0
)
select format('%s belongs to %s', thing, case when owner = 0 then 'everybody' else pg_get_userbyid(owner) end)
into obstacle from made where owner not in (select role from trusted) limit 1;
if obstacle is not null then
  raise exception using errcode = 'duplicate_schema', message = format(
    'schema %s is not safe: %s, whose code would run with the rights of whoever migrates and asks. '
    'Choose another schema, take that away, or migrate as that role', 'spillway', obstacle);
end if;
