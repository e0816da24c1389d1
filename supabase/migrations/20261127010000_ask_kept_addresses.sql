-- Which pages a reader keeps, asked without saying which page is meant: the question names a bucket of hashes, one of 4,096 into which all
-- addresses of the world fall, and the answer is what the reader keeps in it. (`find_links_by_url` is told the address.)
-- Twin of packages/domain/src/address-hash.ts, which knows the hashes.
create function public.kept_addresses(buckets integer[]) returns text[]
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  -- Once, not for each bucket.
  reader uuid := private.reader_id();
begin
  if cardinality(buckets) > 100 then
    raise exception using errcode = 'PT400', message = 'No máximo 100 grupos de endereços por vez';
  end if;
  return (
    -- As text: JSON's numbers do not hold 64 bits.
    select coalesce(array_agg(distinct a.hash::text), '{}')
    from (select distinct b from unnest(buckets) as b where b between -2048 and 2047) as asked(bucket)
    join private.link_addresses a
      on a.hash between asked.bucket::bigint << 52 and (asked.bucket::bigint << 52) + ((1::bigint << 52) - 1)
    where a.user_id = reader
  );
end
$$;

revoke all on function public.kept_addresses(integer[]) from public, anon, authenticated, service_role;
grant execute on function public.kept_addresses(integer[]) to authenticated;
