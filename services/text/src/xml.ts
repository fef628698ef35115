/** Text inside of XML. */
import { escapeAttribute } from './html';
import { stripControl } from './text';

// Two characters are in Unicode and not in XML.
const plain = (text: string): string => stripControl(text).replace(/[\uFFFE\uFFFF]/g, '');

/** For elements and attributes. */
export const xmlText = (text: string): string => escapeAttribute(plain(text));

/** As it is; what would end it is put into two parts. */
export const xmlData = (text: string): string =>
  `<![CDATA[${plain(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
