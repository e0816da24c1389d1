-- The invitations of a banned account were sent for up to seven days.

do $$
declare
  after constant text := '  end
$function$';
  definition text := pg_catalog.pg_get_functiondef('private.is_share_standing(private.share_notifications)'::regprocedure);
begin
  if position(after in definition) = 0 then
    raise exception 'private.is_share_standing is not as expected';
  end if;
  execute replace(definition, after, '  end and not exists (
    select from auth.users u
    where u.id in (notification.sender_id, (select f.user_id from public.folders f where f.id = notification.folder_id))
      and (u.deleted_at is not null or u.banned_until > now())
  )
$function$');
end
$$;
