/** What a repository may say of itself in `description` (Implementation Guidelines for optional containers). */
import { escapeText, xml } from '../../xml/write.ts';
import { XSI_NAMESPACE } from './protocol.ts';

/** `<name xmlns=… xsi:schemaLocation=…>content</name>`. */
const container = (name: string, namespace: string, schema: string, content: string): string =>
  `<${name} xmlns="${namespace}" xmlns:xsi="${XSI_NAMESPACE}" xsi:schemaLocation="${namespace} ${schema}">${content}</${name}>`;

/** Only where every identifier has the form `oai:repositoryIdentifier:…`. */
export const describeIdentifiers = (repositoryIdentifier: string, sample: string): string =>
  container(
    'oai-identifier',
    'http://www.openarchives.org/OAI/2.0/oai-identifier',
    'http://www.openarchives.org/OAI/2.0/oai-identifier.xsd',
    xml`<scheme>oai</scheme><repositoryIdentifier>${repositoryIdentifier}</repositoryIdentifier><delimiter>:</delimiter><sampleIdentifier>${sample}</sampleIdentifier>`,
  );

/** Base URLs of other repositories that a harvester may like to know. */
export const describeFriends = (baseUrls: readonly string[]): string =>
  container(
    'friends',
    'http://www.openarchives.org/OAI/2.0/friends/',
    'http://www.openarchives.org/OAI/2.0/friends.xsd',
    baseUrls.map((baseUrl) => xml`<baseURL>${baseUrl}</baseURL>`).join(''),
  );

export interface Branding {
  readonly icon: string;
  readonly link?: string;
  readonly title?: string;
  readonly width?: number;
  readonly height?: number;
}

export function describeBranding({ icon, link, title, width, height }: Branding): string {
  const optional = (name: string, value: string | number | undefined): string =>
    value === undefined ? '' : `<${name}>${escapeText(String(value))}</${name}>`;
  return container(
    'branding',
    'http://www.openarchives.org/OAI/2.0/branding/',
    'http://www.openarchives.org/OAI/2.0/branding.xsd',
    `<collectionIcon>${xml`<url>${icon}</url>`}${optional('link', link)}${optional('title', title)}${optional('width', width)}${optional('height', height)}</collectionIcon>`,
  );
}

/** Each is a text, or the address of one. */
export interface Policies {
  readonly content?: string;
  readonly metadata?: string;
  readonly data?: string;
  readonly submission?: string;
  readonly comments?: readonly string[];
}

/** The container of the eprints community, used by everybody for policies; two of its parts are required. */
export function describePolicies({ content, metadata, data, submission, comments = [] }: Policies): string {
  const part = (name: string, text: string | undefined): string =>
    text === undefined
      ? ''
      : `<${name}>${/^https?:\/\/\S+$/.test(text) ? xml`<URL>${text}</URL>` : xml`<text>${text}</text>`}</${name}>`;
  return container(
    'eprints',
    'http://www.openarchives.org/OAI/1.1/eprints',
    'http://www.openarchives.org/OAI/1.1/eprints.xsd',
    part('content', content) +
      (part('metadataPolicy', metadata) || '<metadataPolicy/>') +
      (part('dataPolicy', data) || '<dataPolicy/>') +
      part('submissionPolicy', submission) +
      comments.map((comment) => xml`<comment>${comment}</comment>`).join(''),
  );
}
