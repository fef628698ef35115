-- When what moved in was last changed as it was left here, noted with its row: whoever brings it again may have ended before they noted
-- what they were answered. Null: it came before this was noted.
alter table moved_objects add column left_utc timestamptz;
