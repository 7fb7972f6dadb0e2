/** An XML Schema for profiles as Garner writes them, made from the same tables. */
import { ELEMENT_PARTS, type Occurs, PROF_ATTRIBUTES, RES_ATTRIBUTES } from './profile.ts';

const OCCURS: Readonly<Record<Occurs, string>> = {
  '1': '',
  '?': ' minOccurs="0"',
  '*': ' minOccurs="0" maxOccurs="unbounded"',
  '+': ' maxOccurs="unbounded"',
};

const element = (name: string, occurs: Occurs, type = 'xs:string') =>
  `<xs:element name="${name}" type="${type}"${OCCURS[occurs]}/>`;

const sequence = (table: Readonly<Record<string, Occurs>>) =>
  Object.entries(table)
    .map(([name, occurs]) => element(name, occurs))
    .join('\n      ');

const complexType = (name: string, content: string) => `
  <xs:complexType name="${name}">
    <xs:sequence>
      ${content}
    </xs:sequence>
  </xs:complexType>`;

export function writeProfileSchema(): string {
  const { elemEnumFlag: _, elemValue: __, elemMinValue: ___, elemMaxValue: ____, ...parts } = ELEMENT_PARTS;
  const entries = Object.entries(parts);
  const behind = entries.findIndex(([name]) => name === 'elemSynonym');
  const elementContent = [
    sequence(Object.fromEntries(entries.slice(0, behind))),
    element('elemEnumFlag', '1', 'enumFlag'),
    '<xs:choice>',
    `  ${element('elemValue', '*')}`,
    `  <xs:sequence>${element('elemMinValue', '1')}${element('elemMaxValue', '1')}</xs:sequence>`,
    '</xs:choice>',
    sequence(Object.fromEntries(entries.slice(behind))),
  ].join('\n      ');
  return `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="unqualified">
  <xs:annotation>
    <xs:documentation>Resource profiles: one, or a list of them. Elements are in no namespace.</xs:documentation>
  </xs:annotation>
  <xs:element name="profiles">
    <xs:complexType>
      <xs:sequence>
        ${element('profile', '*', 'profile')}
      </xs:sequence>
    </xs:complexType>
  </xs:element>
  <xs:element name="profile" type="profile"/>
${complexType(
  'profile',
  [
    element('profAttributes', '1', 'profAttributes'),
    element('resAttributes', '1', 'resAttributes'),
    element('profElement', '*', 'profElement'),
  ].join('\n      '),
)}
${complexType('profAttributes', sequence(PROF_ATTRIBUTES))}
${complexType('resAttributes', sequence(RES_ATTRIBUTES))}
${complexType('profElement', elementContent)}

  <xs:simpleType name="enumFlag">
    <xs:annotation>
      <xs:documentation>T: values are listed, none means any. F: bounds are given, none means any.</xs:documentation>
    </xs:annotation>
    <xs:restriction base="xs:string">
      <xs:enumeration value="T"/>
      <xs:enumeration value="F"/>
    </xs:restriction>
  </xs:simpleType>
</xs:schema>
`;
}
