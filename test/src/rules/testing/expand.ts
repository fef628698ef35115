/**
 * Whether the version before may go on while a migration is there: it reads and writes what it knows, by its names, and knows of nothing
 * that is new. What takes something from it, or asks of it what it does not do, waits until no version in use needs that.
 */

interface Statement {
  /** Without comments; words as they are, letters between quotes as one `''`. */
  readonly text: string;
  /** What stands above it. */
  readonly comments: string;
}

/**
 * «-- Since 0.2.0: nothing reads it.» above a statement: that version, or a later one, no longer needs what goes, or keeps to what is
 * demanded. It must have been released, so that the version before is at least that one.
 */
const SINCE = /^\s*--\s*Since (\d+\.\d+\.\d+): \S/m;

/** What is wrong with a migration, in words. */
export function faultsOf(sql: string, released: readonly string[]): string[] {
  const statements = statementsOf(sql);
  const own = tablesMadeBy(statements);
  return statements.flatMap((statement) => {
    const faults = rules.flatMap((rule) => rule(statement.text, own));
    if (faults.length === 0) return [];
    const since = SINCE.exec(statement.comments)?.[1];
    if (since && released.includes(since)) return [];
    const shown = statement.text.slice(0, 80);
    return faults.map((fault) =>
      since ? `${fault}, and ${since} is not released: ${shown}` : `${fault}: ${shown}`,
    );
  });
}

type Rule = (text: string, own: ReadonlySet<string>) => string[];

const NAME = String.raw`(?:"[^"]+"|[\w.]+)`;
const flagged = (text: string, pattern: RegExp, fault: string): string[] =>
  pattern.test(text) ? [fault] : [];

/** Of tables that the same file made, nothing is known before. */
const ofOthers =
  (rule: (text: string) => string[]): Rule =>
  (text, own) => {
    const table = tableOf(text);
    return table !== undefined && own.has(table) ? [] : rule(text);
  };

const rules: readonly Rule[] = [
  (text, own) => {
    const [, what, name] = new RegExp(`^drop (\\w+(?: view)?) (?:if exists )?(${NAME})`).exec(text) ?? [];
    return what === undefined || own.has(name as string)
      ? []
      : [`drops a ${what} that the version before may use`];
  },
  ofOthers((text) => flagged(text, /^(truncate|revoke)\b/, 'takes away what the version before may use')),
  ofOthers((text) =>
    /^alter index\b/.test(text)
      ? []
      : flagged(text, /^alter .*\brename\b/, 'renames what the version before knows by its name'),
  ),
  ofOthers((text) =>
    flagged(text, /^alter .*\bset schema\b/, 'moves what the version before knows by its name'),
  ),
  ofOthers((text) => (/^alter table\b/.test(text) ? partsOf(text).flatMap(faultsOfPart) : [])),
  ofOthers((text) =>
    flagged(
      text,
      /^create unique index\b/,
      'demands that rows differ, which the version before does not know',
    ),
  ),
];

/** One change of a table that was there. */
function faultsOfPart(part: string): string[] {
  const added =
    /^add (?:column (?:if not exists )?)?(?!constraint\b|check\b|unique\b|primary\b|foreign\b|exclude\b)/.test(
      part,
    );
  if (added) return faultsOfColumn(part);
  return [
    ...flagged(part, /^add\b/, 'demands of rows what the version before does not know'),
    ...flagged(part, /^drop (?:column\b|(?!constraint\b))/, 'drops a column that the version before may use'),
    ...flagged(part, /^drop constraint\b/, 'drops a constraint that the version before may rely on'),
    ...flagged(
      part,
      /^alter .*\b(?:set data )?type\b/,
      'changes the type of a column that the version before reads',
    ),
    ...flagged(part, /^alter .*\bset not null\b/, 'demands a value that the version before may not give'),
    ...flagged(part, /^alter .*\bdrop not null\b/, 'allows null where the version before expects a value'),
    ...flagged(
      part,
      /^alter .*\bdrop (?:default|expression|identity)\b/,
      'drops a value that the version before may rely on',
    ),
  ];
}

/** The version before gives it no value. */
function faultsOfColumn(part: string): string[] {
  const isGiven = /\bdefault\b(?! null\b)|\bgenerated\b|\b(?:big|small)?serial\b/.test(part);
  return [
    ...(isGiven
      ? []
      : flagged(part, /\bnot null\b|\bprimary key\b/, 'adds a column that must be given, without a default')),
    ...(isGiven && !/\bgenerated\b|serial\b/.test(part)
      ? flagged(part, /\bunique\b/, 'adds a column whose default may stand in one row only')
      : []),
  ];
}

const tableOf = (text: string): string | undefined =>
  new RegExp(`^(?:alter table|truncate(?: table)?|revoke .* on) (?:if exists )?(?:only )?(${NAME})`).exec(
    text,
  )?.[1] ??
  new RegExp(
    `^create unique index (?:concurrently )?(?:if not exists )?(?:${NAME} )?on (?:only )?(${NAME})`,
  ).exec(text)?.[1] ??
  new RegExp(`^alter \\w+ (?:if exists )?(${NAME})`).exec(text)?.[1];

const tablesMadeBy = (statements: readonly Statement[]): ReadonlySet<string> =>
  new Set(
    statements.flatMap(({ text }) => {
      const made = new RegExp(
        `^create (?:or replace )?(?:(?:unlogged|temporary|temp|materialized|unique) )*\\w+ (?:concurrently )?(?:if not exists )?(${NAME})`,
      );
      return made.exec(text)?.[1] ?? [];
    }),
  );

/** The changes of an `alter table`, each by itself. */
function partsOf(text: string): string[] {
  const changes = text.replace(new RegExp(`^alter table (?:if exists )?(?:only )?${NAME}\\s*\\*? ?`), '');
  const parts = [''];
  let depth = 0;
  for (const letter of changes) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|;|\s+|[^\s;'"$/-]+|[\s\S]/g;

/** What `do` runs is looked at as if it stood by itself; bodies of functions are run by both versions. */
function statementsOf(sql: string): Statement[] {
  const statements: Statement[] = [];
  let text = '';
  let comments = '';
  const end = (): void => {
    const words = text.replace(/\s+/g, ' ').trim();
    if (words !== '') statements.push({ text: words, comments });
    text = comments = '';
  };
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token.startsWith('--')) {
      if (text.trim() === '') comments += `${token}\n`;
    } else if (token.startsWith('/*')) text += ' ';
    else if (token === ';') end();
    else if (/^\$\w*\$/.test(token) && token.length > 2) {
      if (/^\s*do\b/.test(text))
        statements.push(...bodyOf(token).map((one) => ({ ...one, comments: comments + one.comments })));
      text += "''";
    } else if (token.startsWith("'")) text += "''";
    else text += token.startsWith('"') ? token : token.toLowerCase();
  }
  end();
  return statements;
}

/** The statements between `begin`, `then`, `loop` and what ends them. */
const bodyOf = (token: string): Statement[] => {
  const body = token.replace(/^\$\w*\$|\$\w*\$$/g, '').replace(/\b(?:begin|then|else|loop)\b/gi, ';');
  return statementsOf(body).map(({ text, comments }) => ({
    comments,
    text: text.replace(/^execute (?:format ?\( ?)?/, ''),
  }));
};
