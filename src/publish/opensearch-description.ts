/** OpenSearch 1.1 description: lets browsers add the portal to their search box. */
import { xml } from '../xml/write.ts';

/** The specification's limit for ShortName, in characters. */
const SHORT_NAME = 16;

export function writeOpenSearchDescription(name: string, baseUrl: string): string {
  const shortName = Array.from(name).slice(0, SHORT_NAME).join('').trim();
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${shortName}</ShortName>
  <Description>${`Search ${name}`}</Description>
  <Image type="image/svg+xml">${`${baseUrl}/favicon.svg`}</Image>
  <Url type="text/html" template="${`${baseUrl}/search?q={searchTerms}`}"/>
  <Url type="application/atom+xml" template="${`${baseUrl}/feeds/atom?q={searchTerms}`}"/>
  <Url type="application/json" template="${`${baseUrl}/api/search?q={searchTerms}`}"/>
</OpenSearchDescription>
`;
}
