-- Undoing an import, a tagging or an act of a program deleted a tag that it had made although a link in the bin had it by then.

create function private.tags_in_bin(owner uuid, before timestamptz) returns setof uuid
  language sql stable
  set search_path = ''
as $$
  select k.id::uuid
  from private.deletions d
  join private.deleted_rows r on r.deletion_id = d.id and r.kind = 'tags'
  cross join lateral jsonb_array_elements_text(r.content -> 'tag_ids') as k(id)
  where d.user_id = owner and d.purge_after > now() and d.deleted_at < before
$$;
comment on function private.tags_in_bin(uuid, timestamptz) is
  'The tags of a person''s links that went to the bin before a moment and may come back.';
revoke all on function private.tags_in_bin(uuid, timestamptz) from public, anon, authenticated, service_role;

do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      ('public.undo_import(uuid)', '  doomed uuid[];
', '  doomed uuid[];
  begun timestamptz;
'),
      ('public.undo_import(uuid)',
        '  where i.user_id = caller and i.id = $1 and i.started_at > now() - private.import_window();
',
        '  where i.user_id = caller and i.id = $1 and i.started_at > now() - private.import_window()
  returning i.undone_at into begun;
'),
      ('public.undo_import(uuid)', '  where t.user_id = caller and t.link_count = 0
', '  where t.user_id = caller and t.link_count = 0
    -- What the undo itself has put there goes without the tags that were made for it.
    and t.id not in (select private.tags_in_bin(caller, begun))
'),
      ('public.undo_tag_change(bigint)',
        '  delete from public.tags t where t.id = any (change.made) and t.user_id = owner and t.link_count = 0;
',
        '  delete from public.tags t
  where t.id = any (change.made) and t.user_id = owner and t.link_count = 0
    and t.id not in (select private.tags_in_bin(owner, ''infinity''));
'),
      ('private.undo_tagging(private.program_acts, private.act_fate[])',
        '  where t.id = any (act.made_tags) and t.user_id = act.owner_id and t.link_count = 0;
',
        '  where t.id = any (act.made_tags) and t.user_id = act.owner_id and t.link_count = 0
    -- What this undo has put there goes without the tags that were made for it.
    and t.id not in (select private.tags_in_bin(act.owner_id, now()));
')
    ) as p(name, before, after)
  loop
    definition := pg_catalog.pg_get_functiondef(patch.name::regprocedure);
    if position(patch.before in definition) = 0 then
      raise exception '% is not as expected', patch.name;
    end if;
    execute replace(definition, patch.before, patch.after);
  end loop;
end
$$;
