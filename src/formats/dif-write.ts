/** DIF 9 as we write it: what a directory needs to know of a topic, a collection or a granule. */
import { rawXml, xml } from '../xml/write.ts';
import { DIF_NAMESPACE, NOT_PROVIDED } from './dif-parts.ts';

export interface DifRecord {
  readonly entryId: string;
  readonly title: string;
  readonly summary: string;
  readonly creators?: readonly string[];
  /** `EARTH SCIENCE > ATMOSPHERE > CLOUDS > …`. */
  readonly parameters?: readonly string[];
  readonly isoTopics?: readonly string[];
  readonly keywords?: readonly string[];
  readonly instruments?: readonly string[];
  readonly platforms?: readonly string[];
  /** ISO 8601. */
  readonly start?: string;
  readonly stop?: string;
  readonly box?: {
    readonly west: number;
    readonly south: number;
    readonly east: number;
    readonly north: number;
  };
  readonly places?: readonly string[];
  readonly projects?: readonly { readonly shortName: string; readonly longName?: string }[];
  readonly rights?: string;
  readonly languages?: readonly string[];
  readonly dataCenter?: { readonly name: string; readonly url?: string; readonly contact?: string };
  readonly urls?: readonly { readonly url: string; readonly description?: string }[];
  /** Of the collection that it belongs to. */
  readonly parent?: string;
  readonly createdAt?: string;
  readonly revisedAt?: string;
}

const LEVELS = ['Category', 'Topic', 'Term', 'Variable_Level_1', 'Variable_Level_2', 'Variable_Level_3'];
/** A document without an XML declaration; valid against dif_v9.9.3.xsd. */
export function writeDif9(record: DifRecord): string {
  const { creators = [], parameters = [], box, dataCenter } = record;
  const coverage = text('Start_Date', record.start) + text('Stop_Date', record.stop);
  return xml`<DIF xmlns="${DIF_NAMESPACE}">${rawXml(
    text('Entry_ID', record.entryId),
    text('Entry_Title', record.title),
    creators.map((creator) => wrap('Data_Set_Citation', text('Dataset_Creator', creator))),
    (parameters.length > 0 ? parameters : ['']).map(writeParameters),
    texts('ISO_Topic_Category', record.isoTopics),
    texts('Keyword', record.keywords),
    (record.instruments ?? []).map((name) => wrap('Sensor_Name', text('Short_Name', name))),
    (record.platforms ?? []).map((name) => wrap('Source_Name', text('Short_Name', name))),
    wrap('Temporal_Coverage', coverage),
    box ? writeBox(box) : '',
    (record.places ?? []).map((place) => wrap('Location', text('Location_Category', place))),
    (record.projects ?? []).map(({ shortName, longName }) =>
      wrap('Project', text('Short_Name', shortName) + text('Long_Name', longName)),
    ),
    text('Use_Constraints', record.rights),
    texts('Data_Set_Language', record.languages),
    writeCenter(dataCenter),
    wrap('Summary', text('Abstract', record.summary)),
    (record.urls ?? []).map(({ url, description }) =>
      wrap('Related_URL', text('URL', url) + text('Description', description)),
    ),
    text('Parent_DIF', record.parent),
    text('Metadata_Name', 'DIF'),
    text('Metadata_Version', '9.9.3'),
    text('DIF_Creation_Date', record.createdAt),
    text('Last_DIF_Revision_Date', record.revisedAt),
  )}</DIF>`;
}

const text = (name: string, value: string | undefined): string =>
  value === undefined || value === '' ? '' : xml`<${rawXml(name)}>${value}</${rawXml(name)}>`;

const texts = (name: string, values: readonly string[] = []): string[] =>
  values.map((value) => text(name, value));

const wrap = (name: string, content: string): string =>
  content === '' ? '' : xml`<${rawXml(name)}>${rawXml(content)}</${rawXml(name)}>`;

/** The schema demands three levels. */
function writeParameters(path: string): string {
  const levels = path
    .split('>')
    .map((level) => level.trim())
    .filter((level) => level !== '');
  while (levels.length < 3) levels.push(NOT_PROVIDED);
  const named = LEVELS.map((name, index) => text(name, levels[index]));
  return wrap(
    'Parameters',
    named.join('') + text('Detailed_Variable', levels.slice(LEVELS.length).join(' > ')),
  );
}

function writeBox({ west, south, east, north }: NonNullable<DifRecord['box']>): string {
  return wrap(
    'Spatial_Coverage',
    text('Southernmost_Latitude', String(south)) +
      text('Northernmost_Latitude', String(north)) +
      text('Westernmost_Longitude', String(west)) +
      text('Easternmost_Longitude', String(east)),
  );
}

/** The schema demands a centre, and a person there. */
function writeCenter(
  { name, url, contact }: NonNullable<DifRecord['dataCenter']> = { name: NOT_PROVIDED },
): string {
  return wrap(
    'Data_Center',
    wrap('Data_Center_Name', text('Short_Name', name)) +
      text('Data_Center_URL', url) +
      wrap(
        'Personnel',
        text('Role', 'DATA CENTER CONTACT') + text('Last_Name', name) + text('Email', contact),
      ),
  );
}
