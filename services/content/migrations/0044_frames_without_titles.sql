-- What stands for items of this site in texts names them by their address now. Those that name a title are forgotten, and asked for anew
-- where they are shown, behind what is written meanwhile and once processes of the version before are gone, which would bring the title
-- back. What is not everybody's any more is an address then.
delete from stored_embeds where html like '%class="site-embedded-content"%';
insert into outbox (kind, channel, name, payload, run_at, turn)
  select 'job', 'content.embeds', 'fill-embeds', jsonb_build_object('id', id), now() + interval '10 minutes', 1000
    from posts where content_html like '%class="site-embedded-content"%' and type in ('post', 'page');
