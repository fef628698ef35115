/** Statistics as clients show them: the best rank first, each with the list of its posts. */
import type { SeoRank } from '../analysis/shape';
import type { RankCount } from './store';

const LABELS: Readonly<Record<SeoRank, string>> = {
  good: 'Posts with a good SEO score',
  ok: 'Posts with an OK SEO score',
  bad: 'Posts with a bad SEO score',
  na: 'Posts without a focus keyword, or not scored',
  noindex: 'Posts that search engines are told to leave out',
};

interface Statistics {
  readonly header: string;
  readonly seo_scores: readonly {
    readonly seo_rank: SeoRank;
    readonly label: string;
    readonly count: number;
    readonly link: string;
  }[];
}

export function present(counts: readonly RankCount[], siteUrl: string): Statistics {
  const known = new Map(counts.map(({ rank, posts }) => [rank, posts]));
  return {
    header: counts.length === 0 ? NOTHING : 'How your published posts do in search-engine optimisation:',
    seo_scores: (Object.keys(LABELS) as SeoRank[])
      .filter((rank) => known.has(rank))
      .map((rank) => ({
        seo_rank: rank,
        label: LABELS[rank],
        count: known.get(rank) ?? 0,
        // Clients put it into HTML as it is.
        link: `${siteUrl}/console/posts?post_status=publish&#038;post_type=post&#038;seo_filter=${rank}`,
      })),
  };
}

const NOTHING = 'You have no published posts yet, and so no SEO scores.';
