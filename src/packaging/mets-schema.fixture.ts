/** The published schemas of METS and of all that we put into it, when they lie beside the project. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileSchema, type XmlSchema } from '../xml/xsd.ts';

const SCHEMAS = fileURLToPath(new URL('../../../shared/standards/xsd', import.meta.url));
const METS = [
  ['http://www.loc.gov/METS/', 'mets/mets-1.12.xsd'],
  ['http://www.loc.gov/mods/v3', 'mods/mods-3-7.xsd'],
  ['http://www.loc.gov/mix/v20', 'mix/mix20.xsd'],
  ['http://www.loc.gov/premis/v3', 'premis/premis-v3-0.xsd'],
  ['info:lc/xmlns/textMD-v3', 'textmd/textMD-v3.01a.xsd'],
  ['http://www.modoai.org/OAI/2.0/http_header/', 'ours/http_header.xsd'],
] as const;
const OAI = [['http://www.openarchives.org/OAI/2.0/', 'oai/OAI-PMH.xsd']] as const;

/** Undefined when they are not there. `inOai`: of an answer of OAI-PMH with METS in it. */
export async function compileMetsSchema(inOai = false): Promise<XmlSchema | undefined> {
  if (!existsSync(SCHEMAS)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'garner-schema-'));
  try {
    const imports = [...(inOai ? OAI : []), ...METS].map(
      ([namespace, path]) =>
        `<xs:import namespace="${namespace}" schemaLocation="${pathToFileURL(join(SCHEMAS, path)).href}"/>`,
    );
    const driver = join(folder, 'driver.xsd');
    await writeFile(
      driver,
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${imports.join('')}</xs:schema>`,
    );
    return compileSchema(driver, { root: SCHEMAS });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
