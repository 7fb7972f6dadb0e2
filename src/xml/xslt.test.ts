import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { GarnerError } from '../core/errors.ts';
import { createTransformer, type Transformer, type TransformerOptions } from './xslt.ts';

const sheet = (body: string) =>
  `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:str="http://exslt.org/strings" exclude-result-prefixes="str">${body}</xsl:stylesheet>`;
const template = (body: string) =>
  sheet(`<xsl:output omit-xml-declaration="yes"/><xsl:template match="/">${body}</xsl:template>`);
const ECHO = '<out><xsl:value-of select="."/></out>';

async function withTransformer(
  stylesheet: string,
  use: (transformer: Transformer) => Promise<void>,
  options: TransformerOptions = {},
): Promise<void> {
  const transformer = createTransformer(stylesheet, options);
  try {
    await use(transformer);
  } finally {
    await transformer.close();
  }
}

const run = async (transformer: Transformer, xml: string | Uint8Array) =>
  Buffer.from(await transformer.transform(Buffer.from(xml)))
    .toString()
    .trim();

test('a stylesheet transforms documents, with EXSLT and with itself as a table', () =>
  withTransformer(
    template(
      "<out a=\"{str:replace(., 'x', 'ü')}\"><xsl:value-of select=\"document('')/*/@version\"/></out>",
    ),
    async (transformer) => {
      assert.equal(await run(transformer, '<a>xyz</a>'), '<out a="üyz">1.0</out>');
      assert.equal(await run(transformer, Buffer.from('\ufeff<a>é</a>', 'utf16le')), '<out a="é">1.0</out>');
    },
  ));

test('the result is UTF-8 and says so', () =>
  withTransformer(
    sheet(`<xsl:output encoding="ISO-8859-1"/><xsl:template match="/">${ECHO}</xsl:template>`),
    async (transformer) => {
      assert.equal(
        await run(transformer, '<a>€</a>'),
        '<?xml version="1.0" encoding="UTF-8"?>\n<out>€</out>',
      );
    },
  ));

test('a batch gives a result or an error for each document', () =>
  withTransformer(
    template(
      `<xsl:if test=". = 'stop'"><xsl:message terminate="yes">told to stop</xsl:message></xsl:if>${ECHO}`,
    ),
    async (transformer) => {
      const documents = [
        '<a>1</a>',
        '<a>stop</a>',
        '<a><b></a>',
        '<!DOCTYPE a><a/>',
        `${'<a>'.repeat(1000)}`,
        '<a>2</a>',
      ];
      const results = await transformer.transformAll(documents.map((xml) => Buffer.from(xml)));
      assert.deepEqual(
        results.map((result) =>
          result instanceof GarnerError ? result.code : Buffer.from(result).toString().trim(),
        ),
        ['<out>1</out>', 'xslt.failed', 'xml.malformed', 'xml.forbidden', 'xml.too-deep', '<out>2</out>'],
      );
      assert.match(String(results[1]), /told to stop/);
      assert.match(String(results[2]), /line 1.*mismatch/);
    },
  ));

const RECURSION = sheet(`<xsl:output omit-xml-declaration="yes"/>
  <xsl:template match="/a">${ECHO}</xsl:template>
  <xsl:template match="/endless"><xsl:call-template name="endless"/></xsl:template>
  <xsl:template name="endless"><xsl:call-template name="endless"/></xsl:template>
  <xsl:template match="/slow"><xsl:call-template name="slow"><xsl:with-param name="n" select="60"/></xsl:call-template></xsl:template>
  <xsl:template name="slow"><xsl:param name="n"/><xsl:if test="$n &gt; 0">
    <xsl:call-template name="slow"><xsl:with-param name="n" select="$n - 1"/></xsl:call-template>
    <xsl:call-template name="slow"><xsl:with-param name="n" select="$n - 1"/></xsl:call-template>
  </xsl:if></xsl:template>`);

test('endless recursion and endless work end, and the next document goes through', () =>
  withTransformer(
    RECURSION,
    async (transformer) => {
      await assert.rejects(transformer.transform(Buffer.from('<endless/>')), { code: 'xslt.failed' });
      assert.equal(await run(transformer, '<a>1</a>'), '<out>1</out>');
      await assert.rejects(transformer.transform(Buffer.from('<slow/>')), { code: 'xslt.timeout' });
      assert.equal(await run(transformer, '<a>2</a>'), '<out>2</out>');
    },
    { timeoutMs: 5000 },
  ));

test('a batch survives documents that break the thread', () =>
  withTransformer(
    RECURSION,
    async (transformer) => {
      const documents = ['<a>1</a>', '<endless/>', '<a>2</a>', '<slow/>', '<a>3</a>'];
      const results = await transformer.transformAll(documents.map((xml) => Buffer.from(xml)));
      assert.deepEqual(
        results.map((result) =>
          result instanceof GarnerError ? result.code : Buffer.from(result).toString().trim(),
        ),
        ['<out>1</out>', 'xslt.failed', '<out>2</out>', 'xslt.timeout', '<out>3</out>'],
      );
    },
    { timeoutMs: 5000 },
  ));

test('a stylesheet can neither fetch nor read nor write', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end('<secret/>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (const uri of [
      `${origin}/x.xml`,
      'file:///etc/hostname',
      '/etc/hostname',
      '../secret.xml',
      'ftp://127.0.0.1/x',
    ])
      await withTransformer(
        template(
          `<xsl:choose><xsl:when test="/safe">${ECHO}</xsl:when><xsl:otherwise><xsl:copy-of select="document('${uri}')"/></xsl:otherwise></xsl:choose>`,
        ),
        async (transformer) => {
          await assert.rejects(transformer.transform(Buffer.from('<a/>')), (error) => {
            assert.ok(error instanceof GarnerError);
            assert.equal(error.code, 'xslt.failed');
            assert.ok(error.message.includes(uri), error.message);
            return true;
          });
          assert.equal(await run(transformer, '<safe>1</safe>'), '<out>1</out>');
        },
      );
    for (const reference of [`${origin}/x.xsl`, 'file:///etc/x.xsl'])
      await withTransformer(sheet(`<xsl:include href="${reference}"/>`), async (transformer) => {
        await assert.rejects(transformer.prepare(), { code: 'xslt.stylesheet' });
      });
    await withTransformer(
      template(`<xsl:if test="/a"><xsl:document href="written.xml"><x/></xsl:document></xsl:if>${ECHO}`),
      async (transformer) => {
        await assert.rejects(transformer.transform(Buffer.from('<a/>')), { code: 'xslt.failed' });
        assert.equal(await run(transformer, '<safe>1</safe>'), '<out>1</out>');
      },
    );
    assert.equal(requests, 0);
  } finally {
    server.close();
  }
});

test('a wrong stylesheet is refused with its reason, at every call', () =>
  withTransformer(sheet('<xsl:template match="["/>'), async (transformer) => {
    await assert.rejects(transformer.prepare(), (error) => {
      assert.ok(error instanceof GarnerError);
      assert.equal(error.code, 'xslt.stylesheet');
      assert.match(error.message, /\[/);
      return true;
    });
    await assert.rejects(transformer.transform(Buffer.from('<a/>')), { code: 'xslt.stylesheet' });
    await assert.rejects(transformer.transformAll([Buffer.from('<a/>')]), { code: 'xslt.stylesheet' });
  }));

test('stylesheets that are not XML, or that have a DOCTYPE, are refused', async () => {
  for (const text of ['', 'hello', '<xsl:stylesheet', '<html/>', `<!DOCTYPE x>${template(ECHO)}`])
    await withTransformer(text, async (transformer) => {
      await assert.rejects(transformer.prepare(), { code: 'xslt.stylesheet' }, text);
    });
});
