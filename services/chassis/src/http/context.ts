/** How much of an item an answer shows: what strangers may see, a summary inside another item, or all that its editors work with. */
export type Context = 'view' | 'embed' | 'edit';
