/**
 * Checks sitemaps by their schema: that of sitemaps.org as it comes with a package, and for pictures, news and the index, of which
 * no package brings one, what search engines document of them.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { validateXML } from 'xmllint-wasm';

const SITEMAP_NS = 'http://www.sitemaps.org/schemas/sitemap/0.9';

const sitemap = readFileSync(
  path.join(path.dirname(require.resolve('sitemap')), '../../schema/sitemap.xsd'),
  'utf8',
);

const schema = (namespace: string, inside: string): string =>
  `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns="${namespace}" targetNamespace="${namespace}" elementFormDefault="qualified">${inside}</xsd:schema>`;
const address =
  '<xsd:simpleType name="address"><xsd:restriction base="xsd:anyURI"><xsd:minLength value="12"/><xsd:maxLength value="2048"/></xsd:restriction></xsd:simpleType>';

const image = schema(
  'http://www.google.com/schemas/sitemap-image/1.1',
  `${address}<xsd:element name="image"><xsd:complexType><xsd:sequence><xsd:element name="loc" type="address"/></xsd:sequence></xsd:complexType></xsd:element>`,
);
const news = schema(
  'http://www.google.com/schemas/sitemap-news/0.9',
  `<xsd:element name="news"><xsd:complexType><xsd:sequence>
     <xsd:element name="publication"><xsd:complexType><xsd:sequence>
       <xsd:element name="name" type="xsd:string"/>
       <xsd:element name="language"><xsd:simpleType><xsd:restriction base="xsd:string">
         <xsd:pattern value="zh-cn|zh-tw|[a-z]{2,3}"/></xsd:restriction></xsd:simpleType></xsd:element>
     </xsd:sequence></xsd:complexType></xsd:element>
     <xsd:element name="publication_date" type="xsd:dateTime"/>
     <xsd:element name="title" type="xsd:string"/>
   </xsd:sequence></xsd:complexType></xsd:element>`,
);
const index = schema(
  SITEMAP_NS,
  `${address}<xsd:element name="sitemapindex"><xsd:complexType><xsd:sequence>
     <xsd:element name="sitemap" maxOccurs="50000"><xsd:complexType><xsd:sequence>
       <xsd:element name="loc" type="address"/>
       <xsd:element name="lastmod" type="xsd:dateTime" minOccurs="0"/>
     </xsd:sequence></xsd:complexType></xsd:element>
   </xsd:sequence></xsd:complexType></xsd:element>`,
);
const all = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <xsd:import namespace="${SITEMAP_NS}" schemaLocation="sitemap.xsd"/>
  <xsd:import namespace="http://www.google.com/schemas/sitemap-image/1.1" schemaLocation="image.xsd"/>
  <xsd:import namespace="http://www.google.com/schemas/sitemap-news/0.9" schemaLocation="news.xsd"/>
</xsd:schema>`;

const PAGES = 4096;

/** What is wrong with it; empty: nothing. */
export async function faultsOf(xml: string): Promise<readonly string[]> {
  const files = { 'sitemap.xsd': sitemap, 'image.xsd': image, 'news.xsd': news };
  const { errors } = await validateXML({
    xml: { fileName: 'file.xml', contents: xml },
    schema: [xml.includes('<sitemapindex') ? index : all],
    preload: Object.entries(files).map(([fileName, contents]) => ({ fileName, contents })),
    initialMemoryPages: PAGES,
    maxMemoryPages: PAGES,
  });
  return errors.map(({ message }) => message);
}
