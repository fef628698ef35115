/** What the answers of the wizard mean: the settings by which everything is analysed. Pure. */
import type { Image } from '../analysis/shape';
import type { OwnSettings } from '../settings/store';
import {
  descriptionField,
  fields,
  kindNames,
  networks,
  separators,
  templatedNames,
  titleField,
  visibilityField,
} from './fields';

/** By the ids of the fields; those that are missing are what they are unless somebody answers. */
export type Answers = Readonly<Record<string, string>>;

/** The setting that holds the answers as they were given. */
export const ANSWERS = 'answers';

export const answersIn = (own: Readonly<Record<string, unknown>>): Answers =>
  (own[ANSWERS] as Answers | undefined) ?? {};

export const answerOf = (answers: Answers, id: string): string =>
  (Object.hasOwn(answers, id) ? answers[id] : fields[id]?.answer?.unless) ?? '';

export function settingsOf(answers: Answers): OwnSettings {
  const of = (id: string): string => answerOf(answers, id);
  const isCompany = of('publishingEntityType') === 'company';
  const name = of(isCompany ? 'publishingEntityCompanyName' : 'publishingEntityPersonName');
  const logo = isCompany ? of('publishingEntityCompanyLogo') : '';
  return {
    separator: separators[of('separator')] ?? '-',
    titleTemplates: templatesOf(answers, titleField),
    descriptionTemplates: templatesOf(answers, descriptionField),
    noindexed: [
      ...kindNames.filter((kind) => of(visibilityField(kind)) === 'false'),
      ...(of('multipleAuthors') === 'false' ? ['user'] : []),
    ],
    isHidden: of('environment_type') !== 'production',
    publisher: {
      kind: isCompany ? 'company' : 'person',
      name,
      ...(logo !== '' && { logo: pictureAt(logo, name) }),
    },
    profiles: networks.map((network) => profileOf(network, of(`profileUrl${network}`))).filter(Boolean),
    facebookAppId: of('facebookAppId'),
    twitterName: accountIn(of('profileUrlTwitter')),
    newsSitemap: of('newsSitemap') === 'true',
  };
}

const templatesOf = (
  answers: Answers,
  fieldOf: (kind: (typeof templatedNames)[number]) => string,
): Record<string, string> =>
  Object.fromEntries(
    templatedNames
      .map((kind) => [kind, answerOf(answers, fieldOf(kind))] as const)
      .filter(([, template]) => template !== ''),
  );

const profileOf = (network: (typeof networks)[number], answer: string): string =>
  network === 'Twitter' && answer !== '' && !answer.includes('/') ? `https://twitter.com/${answer}` : answer;

/** Copied addresses go on behind the account (`?s=20`, `/status/1`); before it stands `#!` in old ones. */
function accountIn(answer: string): string {
  if (!answer.includes('/')) return answer;
  const { pathname, hash } = new URL(answer);
  const path = hash.startsWith('#!/') ? hash.slice(2) : pathname;
  return /^\/@?(\w+)(?=[/?]|$)/.exec(path)?.[1] ?? '';
}

/** Of one that is only named nobody knows how large it is. */
const pictureAt = (url: string, alt: string): Image => ({ url, width: 0, height: 0, alt, mimeType: '' });
