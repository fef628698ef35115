/** Arguments of the indexables route. The interface lists none, so these stay out of the index. */
import { unlisted } from '@sevenfold/chassis/http/common-args';
import * as shape from '@sevenfold/chassis/http/shapes';

export const itemArgs = unlisted({
  object_type: { type: 'string', required: true, description: 'Kind of the object: post or term.' },
  object_id: { type: 'integer', required: true, description: 'Number of the object.' },
});

const perhaps = (description: string): shape.Shape =>
  shape.described(description, { type: ['string', 'null'] });
const yesNo = (description: string): shape.Shape =>
  shape.described(description, { type: ['boolean', 'null'] });
const count = (description: string): shape.Shape =>
  shape.described(description, { type: ['integer', 'null'] });
const number = (description: string): shape.Shape => shape.described(description, shape.integer);
const never = shape.described('Always null.', { type: 'null' });

/** As presenter.ts shows it. */
export const indexableAnswer = shape.object({
  object_id: number('Number of the object.'),
  object_type: shape.described('Kind of the object.', { enum: ['post', 'term'] }),
  object_subtype: shape.described('Its type, or its taxonomy.', shape.text),
  permalink: perhaps('Address of the object.'),
  canonical: perhaps('Address that search engines are to take for it.'),
  title: perhaps('Title for search engines.'),
  description: perhaps('Description for search engines.'),
  breadcrumb_title: perhaps('Title in the way from the home page to it.'),
  og_title: perhaps('Title where the page is shared.'),
  og_description: perhaps('Description where the page is shared.'),
  og_image: perhaps('Picture where the page is shared.'),
  twitter_title: perhaps('Title on cards.'),
  twitter_description: perhaps('Description on cards.'),
  twitter_image: perhaps('Picture on cards.'),
  is_robots_noindex: yesNo(
    'Whether search engines are asked to leave it out: true, or null where they are not.',
  ),
  is_robots_nofollow: yesNo('Whether they are asked not to follow its links.'),
  is_robots_noarchive: yesNo('Whether they are asked to keep no copy.'),
  is_robots_noimageindex: yesNo('Whether they are asked to leave out its pictures.'),
  is_robots_nosnippet: yesNo('Whether they are asked to quote nothing of it.'),
  primary_focus_keyword: perhaps('What it is to be found by.'),
  primary_focus_keyword_score: number(
    'How well it is written for that, up to 100; 0 where that is not known.',
  ),
  readability_score: number('How well it can be read, up to 100; 0 where that is not known.'),
  is_cornerstone: shape.described('Whether it is one of the most important of the site.', shape.flag),
  link_count: count('How many links lead from it to others of the site.'),
  incoming_link_count: count('How many links of the site lead to it.'),
  created_at: never,
  updated_at: never,
});
