-- Rows of up to half a page are kept as they are. A post has its text three times (as written, as shown, to be searched), so nearly every one was
-- more than two kilobytes and its texts were compressed: taking them apart again was half of what a search of words costs.
alter table posts set (toast_tuple_target = 4080);
