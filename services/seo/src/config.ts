/** Variables of the seo service. */
import { type ConfigOf, type Variables, serviceVariables } from '@sevenfold/chassis/config';

export const variables = { ...serviceVariables } as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
