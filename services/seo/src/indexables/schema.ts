/** Arguments of the indexables route. The interface lists none, so these stay out of the index. */
import { unlisted } from '@sevenfold/chassis/http/common-args';
import * as shape from '@sevenfold/chassis/http/shapes';

export const itemArgs = unlisted({
  object_type: { type: 'string', required: true, description: 'Kind of the object: post or term.' },
  object_id: { type: 'integer', required: true, description: 'Number of the object.' },
});

const perhaps = { type: ['string', 'null'] };
const yesNo = { type: ['boolean', 'null'] };
const count = { type: ['integer', 'null'] };

/** As presenter.ts shows it. */
export const indexableAnswer = shape.object({
  object_id: shape.integer,
  object_type: { enum: ['post', 'term'] },
  object_subtype: shape.text,
  permalink: perhaps,
  canonical: perhaps,
  title: perhaps,
  description: perhaps,
  breadcrumb_title: perhaps,
  og_title: perhaps,
  og_description: perhaps,
  og_image: perhaps,
  twitter_title: perhaps,
  twitter_description: perhaps,
  twitter_image: perhaps,
  is_robots_noindex: yesNo,
  is_robots_nofollow: yesNo,
  is_robots_noarchive: yesNo,
  is_robots_noimageindex: yesNo,
  is_robots_nosnippet: yesNo,
  primary_focus_keyword: perhaps,
  primary_focus_keyword_score: shape.integer,
  readability_score: shape.integer,
  is_cornerstone: shape.flag,
  link_count: count,
  incoming_link_count: count,
  created_at: { type: 'null' },
  updated_at: { type: 'null' },
});
