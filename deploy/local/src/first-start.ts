/** What a site gets and is told once, when it starts for the first time: how to get in, and something to look at. */
import { makeSamples } from './samples';
import { type Secrets, writePrivateJson } from './secrets';
import type { StackSettings } from './settings';

interface Started {
  readonly settings: StackSettings;
  readonly secrets: Secrets;
  readonly secretsFile: string;
  /** Where the gateway answers. */
  readonly url: string;
  readonly say: (line: string) => void;
}

/** Answers the lines that tell how to get in. Nothing of it can fail a start. */
export async function firstStart({ settings, secrets, secretsFile, url, say }: Started): Promise<string[]> {
  const sampled = secrets.sampled || (await sample({ settings, secrets, url, say }));
  if (!secrets.announced || sampled !== secrets.sampled)
    writePrivateJson(secretsFile, {
      ...secrets,
      ...(!secrets.announced && madeWith(settings, secrets)),
      announced: true,
      sampled,
    } satisfies Secrets);
  return secrets.announced
    ? laterLines(settings, secrets, secretsFile)
    : passwordLines(settings, secrets, url);
}

/** What was generated beside a password of the operator's opens nothing: whoever looks it up later would try it in vain. */
const madeWith = (settings: StackSettings, secrets: Secrets): Partial<Secrets> => ({
  administrator: settings.ADMIN_USERNAME,
  adminPassword: settings.ADMIN_PASSWORD ? '' : secrets.adminPassword,
});

/** The name and the password that the settings have by now change nobody; the application password is that of each start. */
function laterLines(settings: StackSettings, secrets: Secrets, file: string): string[] {
  const who = `of the first administrator, ${secrets.administrator || settings.ADMIN_USERNAME}`;
  const { adminPassword: password } = secrets;
  const { ADMIN_APPLICATION_PASSWORD: ownApplication } = settings;
  if (password && !ownApplication) return [`passwords ${who}, as they were at first: ${file}`];
  return [
    `password ${who}, as it was at first: ${password ? file : 'that of ADMIN_PASSWORD when the site was made'}`,
    `application password ${who}: ${ownApplication ? 'that of ADMIN_APPLICATION_PASSWORD' : file}`,
  ];
}

/** Each says what it is for: the one does not open what the other does. */
function passwordLines(settings: StackSettings, secrets: Secrets, url: string): string[] {
  const { ADMIN_USERNAME: name, ADMIN_PASSWORD: own, ADMIN_APPLICATION_PASSWORD: ownApplication } = settings;
  const password = own ? 'that of ADMIN_PASSWORD' : secrets.adminPassword;
  const application = ownApplication
    ? 'that of ADMIN_APPLICATION_PASSWORD'
    : secrets.adminApplicationPassword;
  const credential = ownApplication ? `"${name}:$ADMIN_APPLICATION_PASSWORD"` : `'${name}:${application}'`;
  return [
    `for people, to log in to the console: ${name}, password ${password} (it does not open /rest)`,
    `for programs, at /rest: ${name}, application password ${application}, as in`,
    `  curl -u ${credential} ${url}/rest/core/v2/users/me`,
  ];
}

/** Answers whether it is settled for good. What was asked not to be there does not appear at a later start either. */
async function sample({ settings, secrets, url, say }: Omit<Started, 'secretsFile'>): Promise<boolean> {
  if (!settings.SAMPLES) return true;
  const secret = settings.ADMIN_APPLICATION_PASSWORD || secrets.adminApplicationPassword;
  try {
    const made = await makeSamples(url, { username: settings.ADMIN_USERNAME, secret });
    if (made) say('made a post, a page, an event and a comment to look at (SAMPLES=off for none)');
    return true;
  } catch (error) {
    say(`could not make something to look at: ${(error as Error).message}`);
    return false;
  }
}
