/** What people read: values.yaml with its comments, and the tables of the README. */
import { freeVariables, secretVariables } from './catalog.mjs';
import { databasePlace } from './schema.mjs';
import { values } from './values.mjs';

const inline = (value) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);

function yamlOf(members, indent) {
  const pad = ' '.repeat(indent);
  return Object.entries(members)
    .map(([name, node]) =>
      node.members
        ? `${pad}# ${node.description}\n${pad}${name}:\n${yamlOf(node.members, indent + 2)}`
        : `${pad}# ${node.description}\n${pad}${name}: ${inline(node.standard)}`,
    )
    .join('\n');
}

export function valuesYaml(catalog, rows) {
  const services = rows.map(({ name, processes, variables }) => {
    const roles = processes.map(({ role }) => `    ${role}: {}`);
    const database = 'DATABASE_URL' in variables ? ['    database: {}'] : [];
    return [`  ${name}:`, '    env: {}', '    secretEnv: {}', ...database, ...roles].join('\n');
  });
  return `# Made by \`npm run chart\`; what may stand here is checked against values.schema.json, and the README has it as a table.
${yamlOf(values, 0)}
# Each service: its variables (env; from Secrets: secretEnv), and of its processes whatever is not as in \`defaults\`.
services:
${services.join('\n')}
`;
}

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (head, lines) =>
  [head, head.map(() => '---'), ...lines].map((line) => `| ${line.map(cell).join(' | ')} |`).join('\n');

const leaves = (members, before) =>
  Object.entries(members).flatMap(([name, node]) =>
    node.members
      ? leaves(node.members, `${before}${name}.`)
      : [[`\`${before}${name}\``, `\`${JSON.stringify(node.standard)}\``, node.description]],
  );

const variableRows = (row) => [
  ...freeVariables(row).map(([name, one]) => [
    `\`${name}\``,
    one.oneOf ? one.oneOf.map((word) => word || 'empty').join(', ') : one.kind,
    `\`${JSON.stringify(one.default ?? '')}\``,
    one.description,
  ]),
  ...secretVariables(row).map(([name, one]) => [`\`${name}\``, 'secret', '', one.description]),
];

export const readmeTables = (rows) => ({
  values: table(
    ['value', 'default', 'meaning'],
    [
      ...leaves(values, ''),
      ...Object.entries(databasePlace).map(([name, { description }]) => [
        `\`services.NAME.database.${name}\``,
        '',
        description,
      ]),
    ],
  ),
  variables: rows
    .map(
      (row) => `### ${row.name}\n\n${table(['variable', 'kind', 'default', 'meaning'], variableRows(row))}`,
    )
    .join('\n\n'),
});
