-- After a roll-back the version before makes the application password of its configuration, and says nothing of the column: the name
-- decides then, as for those from before it. Without that the next upgrade would take the password of the configuration for one that
-- somebody revoked, and that of the roll-back for a person's, which no start takes away.
alter table application_passwords alter column is_configured set default null;

create function application_passwords_configured() returns trigger language plpgsql as $$
begin
  new.is_configured := new.name = 'setup';
  return new;
end $$;
create trigger application_passwords_configured before insert on application_passwords
  for each row when (new.is_configured is null) execute function application_passwords_configured();
