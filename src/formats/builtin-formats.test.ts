import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseXml } from '../xml/engine.ts';
import { createXmlExtractor } from './extract-xml.ts';
import { createFormatRegistry } from './registry.ts';

const formats = createFormatRegistry();

function extract(xml: string) {
  using document = parseXml(new TextEncoder().encode(xml));
  const format = formats.detectXml(document);
  return { format: format.name, ...createXmlExtractor(format)(document) };
}

describe('oai_dc', () => {
  const record = extract(`
    <oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <dc:title>Ice thickness of the
        Weddell Sea</dc:title>
      <dc:creator>Frost, Ida</dc:creator><dc:creator>Kelvin, Otto</dc:creator>
      <dc:subject>sea ice</dc:subject><dc:date>1998-07</dc:date>
      <dc:identifier>https://example.org/ice/7</dc:identifier><dc:identifier>ice-7</dc:identifier>
      <dc:source>Logbook 12</dc:source>
      <dc:coverage>Weddell Sea</dc:coverage>
      <dc:coverage>northlimit=-60; southlimit=-78; westlimit=-65; eastlimit=-10; units=signed decimal degrees</dc:coverage>
      <dc:coverage>start=1992; end=1997-12; scheme=W3C-DTF</dc:coverage>
    </oai_dc:dc>`);

  test('elements become fields; structured coverage becomes box and time, the rest places', () => {
    assert.equal(record.format, 'oai_dc');
    assert.equal(record.identifier, 'https://example.org/ice/7');
    assert.deepEqual(record.fields, {
      title: ['Ice thickness of the Weddell Sea'],
      creator: ['Frost, Ida', 'Kelvin, Otto'],
      subject: ['sea ice'],
      date: ['1998-07'],
      identifier: ['https://example.org/ice/7', 'ice-7'],
      origin: ['Logbook 12'],
      link: ['https://example.org/ice/7'],
      place: ['Weddell Sea'],
      bbox: [{ west: -65, south: -78, east: -10, north: -60 }],
      time: [{ start: '1992', end: '1997-12' }],
    });
    assert.deepEqual(record.problems, []);
  });
});

describe('DIF', () => {
  const dif = (content: string) =>
    extract(`<DIF xmlns="http://gcmd.gsfc.nasa.gov/Aboutus/xml/dif/">${content}</DIF>`);

  test('DIF 9 has its text in Entry_ID', () => {
    const { format, identifier, fields, problems } = dif(`
      <Entry_ID>krill-1</Entry_ID><Entry_Title>Krill density</Entry_Title>
      <Data_Set_Citation><Dataset_Creator>Hansen, S.</Dataset_Creator><Dataset_Release_Date>2001-04</Dataset_Release_Date><Dataset_Publisher>Polar Data House</Dataset_Publisher><Dataset_DOI>10.9999/krill</Dataset_DOI></Data_Set_Citation>
      <Personnel><Role>INVESTIGATOR</Role><First_Name>Signe</First_Name><Last_Name>Hansen</Last_Name></Personnel>
      <Personnel><Role>TECHNICAL CONTACT</Role><Last_Name>Berg</Last_Name><Email>berg@example.org</Email></Personnel>
      <Parameters><Category>EARTH SCIENCE</Category><Topic>BIOSPHERE</Topic><Term>ZOOPLANKTON</Term><Variable_Level_1>KRILL</Variable_Level_1><Detailed_Variable>Adult density</Detailed_Variable></Parameters>
      <Parameters><Category>EARTH SCIENCE</Category><Topic>OCEANS</Topic><Term>SALINITY</Term></Parameters>
      <ISO_Topic_Category>OCEANS</ISO_Topic_Category><Keyword>net haul</Keyword>
      <Sensor_Name><Short_Name>RMT-8</Short_Name><Long_Name>Midwater trawl</Long_Name></Sensor_Name>
      <Source_Name><Short_Name/><Long_Name>Research ship</Long_Name></Source_Name>
      <Temporal_Coverage><Start_Date>1981-01-12</Start_Date><Stop_Date>1985-03</Stop_Date></Temporal_Coverage>
      <Temporal_Coverage><Start_Date>1990</Start_Date></Temporal_Coverage>
      <Spatial_Coverage><Southernmost_Latitude>68 S</Southernmost_Latitude><Northernmost_Latitude>-60</Northernmost_Latitude><Westernmost_Longitude>170</Westernmost_Longitude><Easternmost_Longitude>-160</Easternmost_Longitude></Spatial_Coverage>
      <Location><Location_Category>OCEAN</Location_Category><Location_Type>SOUTHERN OCEAN</Location_Type></Location>
      <Project><Short_Name>BIOMASS</Short_Name></Project>
      <Data_Center><Data_Center_Name><Short_Name>PDH</Short_Name><Long_Name>Polar Data House</Long_Name></Data_Center_Name><Personnel><Role>DATA CENTER CONTACT</Role><Last_Name>Desk</Last_Name></Personnel></Data_Center>
      <Summary>Nets, day and night.</Summary>
      <Related_URL><URL>https://example.org/krill</URL></Related_URL>
      <Metadata_Name>CEOS IDN DIF</Metadata_Name><Metadata_Version>VERSION 10.2</Metadata_Version>
      <DIF_Creation_Date>2002-01-01</DIF_Creation_Date><Last_DIF_Revision_Date>2003-02-02</Last_DIF_Revision_Date>`);
    assert.equal(format, 'dif9');
    assert.equal(identifier, 'krill-1');
    assert.deepEqual(problems, []);
    assert.deepEqual(fields, {
      title: ['Krill density'],
      creator: ['Hansen, S.', 'Hansen, Signe'],
      contributor: ['Berg'],
      publisher: ['Polar Data House'],
      contact: ['Desk', 'Berg, berg@example.org'],
      subject: [
        'EARTH SCIENCE > BIOSPHERE > ZOOPLANKTON > KRILL > Adult density',
        'EARTH SCIENCE > OCEANS > SALINITY',
        'OCEANS',
        'net haul',
      ],
      variable: ['KRILL', 'Adult density', 'SALINITY'],
      description: ['Nets, day and night.'],
      date: ['2001-04'],
      published: ['2001-04'],
      modified: ['2003-02-02'],
      time: [{ start: '1981-01-12', end: '1985-03' }, { start: '1990' }],
      bbox: [{ west: 170, south: -68, east: -160, north: -60 }],
      place: ['OCEAN > SOUTHERN OCEAN'],
      identifier: ['krill-1', '10.9999/krill'],
      link: ['https://example.org/krill'],
      instrument: ['RMT-8'],
      platform: ['Research ship'],
      project: ['BIOMASS'],
    });
  });

  test('DIF 10 has a short name and a version there, and everything nested', () => {
    const { format, identifier, fields, problems } = dif(`
      <Entry_ID><Short_Name>SNOW</Short_Name><Version>3</Version></Entry_ID><Entry_Title>Snow cover</Entry_Title>
      <Dataset_Citation><Dataset_Creator>Nival, P.</Dataset_Creator><Persistent_Identifier><Type>DOI</Type><Identifier>10.9999/snow</Identifier></Persistent_Identifier></Dataset_Citation>
      <Science_Keywords><Category>EARTH SCIENCE</Category><Topic>CRYOSPHERE</Topic><Term>SNOW/ICE</Term><Variable_Level_1>SNOW COVER</Variable_Level_1></Science_Keywords>
      <Platform><Type>Earth Observation Satellites</Type><Short_Name>Aqua</Short_Name><Instrument><Short_Name>MODIS</Short_Name></Instrument></Platform>
      <Temporal_Coverage><Ends_At_Present_Flag>true</Ends_At_Present_Flag><Range_DateTime><Beginning_Date_Time>2002-07-04T00:00:00Z</Beginning_Date_Time><Ending_Date_Time>present</Ending_Date_Time></Range_DateTime></Temporal_Coverage>
      <Temporal_Coverage><Single_DateTime>2001-05-05</Single_DateTime></Temporal_Coverage>
      <Spatial_Coverage><Granule_Spatial_Representation>GEODETIC</Granule_Spatial_Representation><Geometry><Coordinate_System>GEODETIC</Coordinate_System>
        <Bounding_Rectangle><Southernmost_Latitude>0</Southernmost_Latitude><Northernmost_Latitude>90</Northernmost_Latitude><Westernmost_Longitude>-180</Westernmost_Longitude><Easternmost_Longitude>180</Easternmost_Longitude></Bounding_Rectangle>
        <Polygon><Boundary><Point><Point_Longitude>10</Point_Longitude><Point_Latitude>45</Point_Latitude></Point><Point><Point_Longitude>12.5</Point_Longitude><Point_Latitude>45</Point_Latitude></Point><Point><Point_Longitude>11</Point_Longitude><Point_Latitude>47</Point_Latitude></Point></Boundary></Polygon>
        <Point><Point_Longitude>-3</Point_Longitude><Point_Latitude>40</Point_Latitude></Point>
      </Geometry></Spatial_Coverage>
      <Project><Short_Name>EOS</Short_Name></Project>
      <Organization><Organization_Type>ARCHIVER</Organization_Type><Organization_Name><Short_Name>SDC</Short_Name><Long_Name>Snow Data Center</Long_Name></Organization_Name><Personnel><Role>DATA CENTER CONTACT</Role><Contact_Group><Name>Help desk</Name><Email>help@example.org</Email></Contact_Group></Personnel></Organization>
      <Summary><Abstract>Daily maps.</Abstract><Purpose>Hydrology.</Purpose></Summary>
      <Related_URL><URL>https://example.org/snow</URL></Related_URL>
      <Metadata_Dates><Metadata_Creation>2015-01-01</Metadata_Creation><Metadata_Last_Revision>2016-01-01</Metadata_Last_Revision><Data_Creation>Not provided</Data_Creation><Data_Last_Revision>unknown</Data_Last_Revision></Metadata_Dates>`);
    assert.equal(format, 'dif10');
    assert.equal(identifier, 'SNOW_3');
    assert.deepEqual(problems, []);
    assert.deepEqual(fields, {
      title: ['Snow cover'],
      creator: ['Nival, P.'],
      publisher: ['Snow Data Center'],
      contact: ['Help desk, help@example.org'],
      subject: ['EARTH SCIENCE > CRYOSPHERE > SNOW/ICE > SNOW COVER'],
      variable: ['SNOW COVER'],
      description: ['Daily maps.'],
      date: ['2015-01-01'],
      modified: ['2016-01-01'],
      time: [{ start: '2002-07-04T00:00:00Z' }, { start: '2001-05-05', end: '2001-05-05' }],
      bbox: [
        { west: -180, south: 0, east: 180, north: 90 },
        { west: 10, south: 45, east: 12.5, north: 47 },
        { west: -3, south: 40, east: -3, north: 40 },
      ],
      identifier: ['SNOW', '10.9999/snow'],
      link: ['https://example.org/snow'],
      instrument: ['MODIS'],
      platform: ['Aqua'],
      project: ['EOS'],
    });
  });

  test('a DIF 10 without a usable version goes by its short name', () => {
    const { identifier } = dif(
      '<Entry_ID><Short_Name>SNOW</Short_Name><Version>Not provided</Version></Entry_ID>',
    );
    assert.equal(identifier, 'SNOW');
  });
});

describe('ISO 19139', () => {
  const iso = (content: string) =>
    extract(`<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco" xmlns:gmx="http://www.isotc211.org/2005/gmx" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink">
      <gmd:fileIdentifier><gco:CharacterString> lake-1 </gco:CharacterString></gmd:fileIdentifier>
      <gmd:dateStamp><gco:DateTime>2020-02-02T10:00:00+02:00</gco:DateTime></gmd:dateStamp>
      <gmd:identificationInfo><gmd:MD_DataIdentification>${content}</gmd:MD_DataIdentification></gmd:identificationInfo>
    </gmd:MD_Metadata>`);
  const extent = (content: string) => `<gmd:extent><gmd:EX_Extent>${content}</gmd:EX_Extent></gmd:extent>`;
  const period = (content: string) =>
    extent(
      `<gmd:temporalElement><gmd:EX_TemporalExtent><gmd:extent>${content}</gmd:extent></gmd:EX_TemporalExtent></gmd:temporalElement>`,
    );

  test('a title is read from a string, an anchor and all languages of a free text', () => {
    const { fields } = iso(`<gmd:citation><gmd:CI_Citation>
      <gmd:title><gco:CharacterString>Lake levels</gco:CharacterString><gmd:PT_FreeText><gmd:textGroup><gmd:LocalisedCharacterString locale="#DE">Seepegel</gmd:LocalisedCharacterString></gmd:textGroup><gmd:textGroup><gmd:LocalisedCharacterString locale="#FR">Niveaux des lacs</gmd:LocalisedCharacterString></gmd:textGroup></gmd:PT_FreeText></gmd:title>
      <gmd:identifier><gmd:MD_Identifier><gmd:code><gmx:Anchor xlink:href="https://doi.org/10.9999/lake">10.9999/lake</gmx:Anchor></gmd:code></gmd:MD_Identifier></gmd:identifier>
    </gmd:CI_Citation></gmd:citation>`);
    assert.deepEqual(fields.title, ['Lake levels', 'Seepegel', 'Niveaux des lacs']);
    assert.deepEqual(fields.identifier, ['lake-1', '10.9999/lake', 'https://doi.org/10.9999/lake']);
  });

  test('dates go by their type, publication before creation before revision; nil is no date', () => {
    const dated = (...dates: [string, string][]) =>
      iso(
        `<gmd:citation><gmd:CI_Citation><gmd:date gco:nilReason="missing"/>${dates
          .map(
            ([date, type]) =>
              `<gmd:date><gmd:CI_Date><gmd:date><gco:Date>${date}</gco:Date></gmd:date><gmd:dateType><gmd:CI_DateTypeCode codeList="x" codeListValue="${type}"/></gmd:dateType></gmd:CI_Date></gmd:date>`,
          )
          .join('')}</gmd:CI_Citation></gmd:citation>`,
      ).fields;
    const all = dated(['2003', 'revision'], ['2001', 'creation'], ['2002-05', 'publication']);
    assert.deepEqual([all.date, all.published, all.modified], [['2002-05'], ['2002-05'], ['2003']]);
    assert.deepEqual(dated(['2003', 'revision'], ['2001', 'creation']).date, ['2001']);
    assert.deepEqual(dated(['1999', 'adopted']).date, ['1999']);
    const stamp = dated();
    assert.deepEqual([stamp.date, stamp.modified], [['2020-02-02T08:00:00Z'], ['2020-02-02T08:00:00Z']]);
  });

  test('periods are read in old and new GML, with open and unknown ends', () => {
    const { fields, problems } = iso(
      [
        '<gml:TimePeriod gml:id="a"><gml:beginPosition>2001-01-01</gml:beginPosition><gml:endPosition indeterminatePosition="now"/></gml:TimePeriod>',
        '<gml:TimePeriod gml:id="b"><gml:begin><gml:TimeInstant gml:id="c"><gml:timePosition>1990</gml:timePosition></gml:TimeInstant></gml:begin><gml:end><gml:TimeInstant gml:id="d"><gml:timePosition>1995</gml:timePosition></gml:TimeInstant></gml:end></gml:TimePeriod>',
        '<gml:TimeInstant gml:id="e"><gml:timePosition>2010-10-10</gml:timePosition></gml:TimeInstant>',
        '<g:TimePeriod xmlns:g="http://www.opengis.net/gml" g:id="f"><g:beginPosition indeterminatePosition="unknown"/><g:endPosition>1980</g:endPosition></g:TimePeriod>',
        '<gml:TimePeriod gml:id="g"><gml:beginPosition indeterminatePosition="unknown"/><gml:endPosition indeterminatePosition="unknown"/></gml:TimePeriod>',
      ]
        .map(period)
        .join(''),
    );
    assert.deepEqual(fields.time, [
      { start: '2001-01-01' },
      { start: '1990', end: '1995' },
      { start: '2010-10-10', end: '2010-10-10' },
      { end: '1980' },
    ]);
    assert.deepEqual(problems, []);
  });

  test('all boxes are read, except those that say where the data is not', () => {
    const box = (west: number, east: number, type = '') =>
      `<gmd:geographicElement><gmd:EX_GeographicBoundingBox>${type}<gmd:westBoundLongitude><gco:Decimal>${west}</gco:Decimal></gmd:westBoundLongitude><gmd:eastBoundLongitude><gco:Decimal>${east}</gco:Decimal></gmd:eastBoundLongitude><gmd:southBoundLatitude><gco:Decimal>1</gco:Decimal></gmd:southBoundLatitude><gmd:northBoundLatitude><gco:Decimal>2</gco:Decimal></gmd:northBoundLatitude></gmd:EX_GeographicBoundingBox></gmd:geographicElement>`;
    const without = '<gmd:extentTypeCode><gco:Boolean>false</gco:Boolean></gmd:extentTypeCode>';
    const { fields } = iso(extent(box(1, 2) + box(5, 6, without)) + extent(box(175, -175)));
    assert.deepEqual(fields.bbox, [
      { west: 1, south: 1, east: 2, north: 2 },
      { west: 175, south: 1, east: -175, north: 2 },
    ]);
  });

  test('a bad box is reported and the record stays', () => {
    const { fields, problems } = iso(
      extent(
        '<gmd:geographicElement><gmd:EX_GeographicBoundingBox><gmd:westBoundLongitude><gco:Decimal>1</gco:Decimal></gmd:westBoundLongitude><gmd:eastBoundLongitude><gco:Decimal>2</gco:Decimal></gmd:eastBoundLongitude><gmd:southBoundLatitude><gco:Decimal>95</gco:Decimal></gmd:southBoundLatitude><gmd:northBoundLatitude><gco:Decimal>97</gco:Decimal></gmd:northBoundLatitude></gmd:EX_GeographicBoundingBox></gmd:geographicElement>',
      ),
    );
    assert.equal(fields.bbox, undefined);
    assert.deepEqual(problems, [
      { code: 'value.box', message: 'field "bbox": the latitudes 95 and 97 are not within -90 and 90' },
    ]);
    assert.deepEqual(fields.identifier, ['lake-1']);
  });

  test('keywords go by their type and thesaurus', () => {
    const keywords = (word: string, type: string, thesaurus = '') =>
      `<gmd:descriptiveKeywords><gmd:MD_Keywords><gmd:keyword><gco:CharacterString>${word}</gco:CharacterString></gmd:keyword><gmd:type><gmd:MD_KeywordTypeCode codeListValue="${type}" codeList="x"/></gmd:type><gmd:thesaurusName><gmd:CI_Citation><gmd:title><gco:CharacterString>${thesaurus}</gco:CharacterString></gmd:title></gmd:CI_Citation></gmd:thesaurusName></gmd:MD_Keywords></gmd:descriptiveKeywords>`;
    const { fields } = iso(
      keywords('level', 'theme', 'BODC Parameter Usage Vocabulary') +
        keywords('lakes', 'theme', 'GEMET') +
        keywords('Alps', 'place') +
        keywords('LakeWatch', 'project') +
        keywords('gauge', 'instrument') +
        keywords('buoy', 'platform'),
    );
    assert.deepEqual(fields.subject, ['level', 'lakes']);
    assert.deepEqual(fields.variable, ['level']);
    assert.deepEqual(fields.place, ['Alps']);
    assert.deepEqual(fields.project, ['LakeWatch']);
    assert.deepEqual(fields.instrument, ['gauge']);
    assert.deepEqual(fields.platform, ['buoy']);
  });

  test('imagery metadata is the same format', () => {
    const { format, identifier } = extract(
      '<gmi:MI_Metadata xmlns:gmi="http://www.isotc211.org/2005/gmi" xmlns:gmd="http://www.isotc211.org/2005/gmd"><gmd:fileIdentifier>scene-1</gmd:fileIdentifier></gmi:MI_Metadata>',
    );
    assert.deepEqual([format, identifier], ['iso19139', 'scene-1']);
  });
});

describe('ISO 19115-3', () => {
  test('its first edition is read like the second', () => {
    const { format, identifier, fields } = extract(`
      <mdb:MD_Metadata xmlns:mdb="http://standards.iso.org/iso/19115/-3/mdb/1.0" xmlns:mcc="http://standards.iso.org/iso/19115/-3/mcc/1.0" xmlns:mri="http://standards.iso.org/iso/19115/-3/mri/1.0" xmlns:cit="http://standards.iso.org/iso/19115/-3/cit/1.0" xmlns:gex="http://standards.iso.org/iso/19115/-3/gex/1.0" xmlns:gco="http://standards.iso.org/iso/19115/-3/gco/1.0" xmlns:gml="http://www.opengis.net/gml/3.2">
        <mdb:metadataIdentifier><mcc:MD_Identifier><mcc:code><gco:CharacterString>dune-1</gco:CharacterString></mcc:code></mcc:MD_Identifier></mdb:metadataIdentifier>
        <mdb:identificationInfo><mri:MD_DataIdentification>
          <mri:citation><cit:CI_Citation><cit:title><gco:CharacterString>Dunes</gco:CharacterString></cit:title></cit:CI_Citation></mri:citation>
          <mri:extent><gex:EX_Extent><gex:temporalElement><gex:EX_TemporalExtent><gex:extent><gml:TimePeriod gml:id="p"><gml:beginPosition>2015</gml:beginPosition><gml:endPosition>2016</gml:endPosition></gml:TimePeriod></gex:extent></gex:EX_TemporalExtent></gex:temporalElement></gex:EX_Extent></mri:extent>
        </mri:MD_DataIdentification></mdb:identificationInfo>
      </mdb:MD_Metadata>`);
    assert.deepEqual([format, identifier], ['iso19115-3', 'dune-1']);
    assert.deepEqual(fields.title, ['Dunes']);
    assert.deepEqual(fields.time, [{ start: '2015', end: '2016' }]);
  });
});

describe('DataCite', () => {
  const kernel4 = `<resource xmlns="http://datacite.org/schema/kernel-4">
      <identifier identifierType="DOI">10.9999/peat.1</identifier>
      <creators><creator><creatorName nameType="Personal">Moor, Lea</creatorName></creator></creators>
      <titles><title titleType="Subtitle">Cores of a bog</title><title>Peat</title></titles>
      <publisher>Bog Archive</publisher><publicationYear>2019</publicationYear>
      <resourceType resourceTypeGeneral="Dataset">Core</resourceType>
      <subjects><subject>peat</subject></subjects>
      <contributors><contributor contributorType="ContactPerson"><contributorName>Fen, Tom</contributorName></contributor><contributor contributorType="DataCollector"><contributorName>Ried, Ada</contributorName></contributor></contributors>
      <dates><date dateType="Collected">2012-05/2013-06</date><date dateType="Updated">2020-01-02</date></dates>
      <language>en</language>
      <alternateIdentifiers><alternateIdentifier alternateIdentifierType="local">peat-1</alternateIdentifier></alternateIdentifiers>
      <relatedIdentifiers><relatedIdentifier relatedIdentifierType="DOI" relationType="IsCitedBy">10.9999/p2</relatedIdentifier></relatedIdentifiers>
      <formats><format>text/csv</format></formats>
      <rightsList><rights>CC BY 4.0</rights></rightsList>
      <descriptions><description descriptionType="Abstract">Ten cores.</description><description descriptionType="Methods">By hand.</description></descriptions>
      <geoLocations><geoLocation><geoLocationPlace>Great Moss</geoLocationPlace>
        <geoLocationBox><westBoundLongitude>8</westBoundLongitude><eastBoundLongitude>9</eastBoundLongitude><southBoundLatitude>53</southBoundLatitude><northBoundLatitude>54</northBoundLatitude></geoLocationBox>
        <geoLocationPoint><pointLongitude>8.5</pointLongitude><pointLatitude>53.5</pointLatitude></geoLocationPoint></geoLocation></geoLocations>
    </resource>`;
  const fields = {
    title: ['Peat', 'Cores of a bog'],
    creator: ['Moor, Lea'],
    contributor: ['Ried, Ada'],
    contact: ['Fen, Tom'],
    publisher: ['Bog Archive'],
    subject: ['peat'],
    description: ['Ten cores.'],
    lineage: ['By hand.'],
    date: ['2019'],
    published: ['2019'],
    modified: ['2020-01-02'],
    time: [{ start: '2012-05', end: '2013-06' }],
    bbox: [
      { west: 8, south: 53, east: 9, north: 54 },
      { west: 8.5, south: 53.5, east: 8.5, north: 53.5 },
    ],
    place: ['Great Moss'],
    type: ['Dataset'],
    mediaType: ['text/csv'],
    language: ['en'],
    identifier: ['10.9999/peat.1', 'peat-1'],
    link: ['https://doi.org/10.9999/peat.1'],
    relation: ['10.9999/p2'],
    rights: ['CC BY 4.0'],
  };

  test('kernel 4 is read alone, in its envelope, and when it forgets its namespace', () => {
    for (const xml of [
      kernel4,
      `<oai_datacite xmlns="http://schema.datacite.org/oai/oai-1.1/"><schemaVersion>4.3</schemaVersion><payload>${kernel4}</payload></oai_datacite>`,
      kernel4.replace(' xmlns="http://datacite.org/schema/kernel-4"', ''),
    ]) {
      const record = extract(xml);
      assert.equal(record.format, 'datacite');
      assert.equal(record.identifier, '10.9999/peat.1');
      assert.deepEqual(record.fields, fields);
      assert.deepEqual(record.problems, []);
    }
  });

  test('kernel 3 has coordinates in one text, latitude first', () => {
    const { format, fields: old } = extract(`<resource xmlns="http://datacite.org/schema/kernel-3">
      <identifier identifierType="Handle">1/2</identifier><titles><title>Old</title></titles>
      <geoLocations><geoLocation><geoLocationPoint>31.233 -67.302</geoLocationPoint><geoLocationBox>41.090 -71.032 42.893 -69.622</geoLocationBox></geoLocation></geoLocations>
    </resource>`);
    assert.equal(format, 'datacite');
    assert.deepEqual(old.bbox, [
      { west: -71.032, south: 41.09, east: -69.622, north: 42.893 },
      { west: -67.302, south: 31.233, east: -67.302, north: 31.233 },
    ]);
    assert.equal(old.link, undefined);
  });
});

describe('MODS', () => {
  const record = `<mods xmlns="http://www.loc.gov/mods/v3" xmlns:xlink="http://www.w3.org/1999/xlink">
      <titleInfo><nonSort>The</nonSort><title>map of tides</title><subTitle>with notes</subTitle></titleInfo>
      <name type="personal"><namePart type="given">Mary</namePart><namePart type="family">Shore</namePart><namePart type="date">1801-1880</namePart><role><roleTerm type="code">aut</roleTerm></role></name>
      <name><namePart>Admiralty</namePart><role><roleTerm type="text">publisher</roleTerm></role></name>
      <name><namePart>Wave, Jo</namePart><role><roleTerm type="code">ctg</roleTerm></role></name>
      <typeOfResource>cartographic</typeOfResource>
      <originInfo><dateIssued>anno 1850</dateIssued><dateIssued encoding="w3cdtf" keyDate="yes">1850</dateIssued></originInfo>
      <language><languageTerm type="text">English</languageTerm><languageTerm type="code">eng</languageTerm></language>
      <abstract>Tides of the Channel.</abstract>
      <subject><topic>tides</topic><geographic>English Channel</geographic><temporal encoding="w3cdtf" point="start">1840</temporal><temporal encoding="w3cdtf" point="end">1849</temporal>
        <cartographics><coordinates>W 6°00ʹ--E 2°00ʹ/N 51°00ʹ--N 48°30ʹ</coordinates></cartographics></subject>
      <identifier type="uri">https://example.org/tides</identifier><identifier invalid="yes">xx</identifier>
      <relatedItem type="host"><titleInfo><title>Atlas of the Sea</title></titleInfo></relatedItem>
      <recordInfo><recordIdentifier>m-7</recordIdentifier><recordChangeDate>2011-01-01</recordChangeDate></recordInfo>
    </mods>`;

  test('a record is read alone and as the only one of a collection', () => {
    for (const xml of [
      record,
      `<modsCollection xmlns="http://www.loc.gov/mods/v3">${record}</modsCollection>`,
    ]) {
      const { format, identifier, fields, problems } = extract(xml);
      assert.deepEqual([format, identifier], ['mods', 'm-7']);
      assert.deepEqual(problems, []);
      assert.deepEqual(fields, {
        title: ['The map of tides with notes'],
        creator: ['Shore, Mary'],
        contributor: ['Wave, Jo'],
        publisher: ['Admiralty'],
        subject: ['tides'],
        description: ['Tides of the Channel.'],
        date: ['1850'],
        published: ['1850'],
        modified: ['2011-01-01'],
        time: [{ start: '1840', end: '1849' }],
        bbox: [{ west: -6, south: 48.5, east: 2, north: 51 }],
        place: ['English Channel'],
        type: ['cartographic'],
        language: ['eng'],
        identifier: ['https://example.org/tides', 'm-7'],
        link: ['https://example.org/tides'],
        relation: ['Atlas of the Sea'],
      });
    }
  });
});

describe('csw:Record', () => {
  const csw = (box: string, name = 'Record') =>
    extract(`<csw:${name} xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:ows="http://www.opengis.net/ows" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dct="http://purl.org/dc/terms/">
      <dc:identifier>r1</dc:identifier><dct:modified>2010-10-10</dct:modified>${box}</csw:${name}>`);
  const corners = (lower: string, upper: string) =>
    `<ows:LowerCorner>${lower}</ows:LowerCorner><ows:UpperCorner>${upper}</ows:UpperCorner>`;
  const expected = [{ west: -4, south: 47, east: 1, north: 51 }];

  test('a URN or URL of a geographic system puts latitude first', () => {
    for (const crs of [
      'urn:x-ogc:def:crs:EPSG:6.11:4326',
      'urn:ogc:def:crs:EPSG::4326',
      'http://www.opengis.net/def/crs/EPSG/0/4258',
    ])
      assert.deepEqual(
        csw(`<ows:BoundingBox crs="${crs}">${corners('47 -4', '51 1')}</ows:BoundingBox>`).fields.bbox,
        expected,
        crs,
      );
  });

  test('all other geographic boxes put longitude first', () => {
    for (const element of [
      `<ows:BoundingBox crs="urn:ogc:def:crs:OGC:1.3:CRS84">${corners('-4 47', '1 51')}</ows:BoundingBox>`,
      `<ows:BoundingBox crs="EPSG:4326">${corners('-4 47', '1 51')}</ows:BoundingBox>`,
      `<ows:BoundingBox>${corners(' -4\n 47 ', '1  51')}</ows:BoundingBox>`,
      `<ows:WGS84BoundingBox>${corners('-4 47', '1 51')}</ows:WGS84BoundingBox>`,
    ])
      assert.deepEqual(csw(element).fields.bbox, expected, element);
  });

  test('a box in metres is left alone', () => {
    const { fields, problems } = csw(
      `<ows:BoundingBox crs="urn:ogc:def:crs:EPSG::3035">${corners('4000000 3000000', '4100000 3100000')}</ows:BoundingBox>`,
    );
    assert.equal(fields.bbox, undefined);
    assert.deepEqual(problems, []);
  });

  test('brief and summary records are the same format, and modified is a date for want of a better', () => {
    for (const name of ['BriefRecord', 'SummaryRecord']) {
      const { format, fields } = csw('', name);
      assert.equal(format, 'csw-record');
      assert.deepEqual([fields.date, fields.modified], [['2010-10-10'], ['2010-10-10']]);
    }
  });
});

describe('any other XML', () => {
  test('gives what its element names suggest', () => {
    const { format, identifier, fields, problems } = extract(`
      <finding-aid id="fa9"><head><eadid>fa-9</eadid><unittitle>Letters of a botanist</unittitle></head>
        <Author>Linde, K.</Author><unitdate>1877</unitdate><date>in her late years, certainly before the war of 1914 or so</date>
        <scopecontent>Letters</scopecontent><keyword>moss</keyword><keyword>fern</keyword>
        <area><westbc>1</westbc><southbc>2</southbc><eastbc>3</eastbc><northbc>4</northbc></area>
        <see href="https://example.org/fa9"/></finding-aid>`);
    assert.deepEqual([format, identifier], ['xml', 'fa-9']);
    assert.deepEqual(problems, []);
    assert.deepEqual(fields, {
      title: ['Letters of a botanist'],
      creator: ['Linde, K.'],
      subject: ['moss', 'fern'],
      description: ['Letters'],
      date: ['1877'],
      bbox: [{ west: 1, south: 2, east: 3, north: 4 }],
      identifier: ['fa-9'],
      link: ['https://example.org/fa9'],
    });
  });

  test('an attribute of the root is an identifier too; a record may have none', () => {
    assert.equal(extract('<thing uuid="u1"><name>x</name></thing>').identifier, 'u1');
    const bare = extract('<thing/>');
    assert.equal(bare.identifier, undefined);
    assert.deepEqual(bare.fields, {});
  });
});
