<?xml version="1.0" encoding="UTF-8"?>
<!-- Shows OAI-PMH answers to people: same look as the portal, links between the verbs, pages to turn. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:oai="http://www.openarchives.org/OAI/2.0/"
    xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    exclude-result-prefixes="oai oai_dc dc">
  <xsl:output method="html" encoding="UTF-8" doctype-system="about:legacy-compat"/>

  <xsl:variable name="base" select="/oai:OAI-PMH/oai:request"/>
  <xsl:variable name="verb" select="/oai:OAI-PMH/oai:request/@verb"/>
  <xsl:variable name="prefix">
    <xsl:choose>
      <xsl:when test="/oai:OAI-PMH/oai:request/@metadataPrefix"><xsl:value-of select="/oai:OAI-PMH/oai:request/@metadataPrefix"/></xsl:when>
      <xsl:otherwise>oai_dc</xsl:otherwise>
    </xsl:choose>
  </xsl:variable>

  <xsl:template match="/oai:OAI-PMH">
    <html lang="en">
      <head>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <title>OAI-PMH: <xsl:value-of select="$verb"/></title>
        <link rel="stylesheet" href="/assets/style.css"/>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml"/>
      </head>
      <body class="oai">
        <header class="banner">
          <div class="wrap banner-row">
            <a class="wordmark" href="/"><span>Garner</span></a>
            <nav aria-label="Verbs">
              <ul>
                <xsl:call-template name="verb"><xsl:with-param name="name">Identify</xsl:with-param></xsl:call-template>
                <xsl:call-template name="verb"><xsl:with-param name="name">ListMetadataFormats</xsl:with-param></xsl:call-template>
                <xsl:call-template name="verb"><xsl:with-param name="name">ListSets</xsl:with-param></xsl:call-template>
                <xsl:call-template name="verb"><xsl:with-param name="name">ListIdentifiers</xsl:with-param></xsl:call-template>
                <xsl:call-template name="verb"><xsl:with-param name="name">ListRecords</xsl:with-param></xsl:call-template>
              </ul>
            </nav>
          </div>
        </header>
        <main id="main" class="wrap">
          <h1><xsl:choose><xsl:when test="$verb"><xsl:value-of select="$verb"/></xsl:when><xsl:otherwise>Not understood</xsl:otherwise></xsl:choose></h1>
          <p class="muted">This is an answer of the harvesting interface at <code><xsl:value-of select="$base"/></code>, of <xsl:value-of select="oai:responseDate"/>. Programs read the XML behind this page.</p>
          <xsl:apply-templates select="oai:error | oai:Identify | oai:ListMetadataFormats | oai:ListSets | oai:ListIdentifiers | oai:ListRecords | oai:GetRecord"/>
        </main>
      </body>
    </html>
  </xsl:template>

  <xsl:template name="verb">
    <xsl:param name="name"/>
    <li>
      <a>
        <xsl:attribute name="href">
          <xsl:value-of select="concat($base, '?verb=', $name)"/>
          <xsl:if test="$name = 'ListIdentifiers' or $name = 'ListRecords'">&amp;metadataPrefix=oai_dc</xsl:if>
        </xsl:attribute>
        <xsl:if test="$name = $verb"><xsl:attribute name="aria-current">page</xsl:attribute></xsl:if>
        <xsl:value-of select="$name"/>
      </a>
    </li>
  </xsl:template>

  <xsl:template match="oai:error">
    <div class="problem" role="alert">
      <p><strong><xsl:value-of select="@code"/></strong></p>
      <p><xsl:value-of select="."/></p>
    </div>
  </xsl:template>

  <xsl:template match="oai:Identify">
    <dl class="fields">
      <xsl:for-each select="*[not(self::oai:description)]">
        <dt><xsl:value-of select="local-name()"/></dt>
        <dd><xsl:value-of select="."/></dd>
      </xsl:for-each>
    </dl>
    <xsl:for-each select="oai:description/*">
      <h2><xsl:value-of select="local-name()"/></h2>
      <dl class="fields"><xsl:apply-templates select="*" mode="tree"/></dl>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="oai:ListMetadataFormats">
    <table>
      <thead><tr><th scope="col">Prefix</th><th scope="col">Namespace</th><th scope="col">Schema</th></tr></thead>
      <tbody>
        <xsl:for-each select="oai:metadataFormat">
          <tr>
            <td><a href="{concat($base, '?verb=ListRecords&amp;metadataPrefix=', oai:metadataPrefix)}"><xsl:value-of select="oai:metadataPrefix"/></a></td>
            <td><code><xsl:value-of select="oai:metadataNamespace"/></code></td>
            <td><code><xsl:value-of select="oai:schema"/></code></td>
          </tr>
        </xsl:for-each>
      </tbody>
    </table>
  </xsl:template>

  <xsl:template match="oai:ListSets">
    <table>
      <thead><tr><th scope="col">Set</th><th scope="col">Name</th></tr></thead>
      <tbody>
        <xsl:for-each select="oai:set">
          <tr>
            <td><a href="{concat($base, '?verb=ListRecords&amp;metadataPrefix=oai_dc&amp;set=', oai:setSpec)}"><xsl:value-of select="oai:setSpec"/></a></td>
            <td><xsl:value-of select="oai:setName"/></td>
          </tr>
        </xsl:for-each>
      </tbody>
    </table>
    <xsl:apply-templates select="oai:resumptionToken"/>
  </xsl:template>

  <xsl:template match="oai:ListIdentifiers">
    <table>
      <thead><tr><th scope="col">Identifier</th><th scope="col">Datestamp</th><th scope="col">Sets</th></tr></thead>
      <tbody>
        <xsl:for-each select="oai:header">
          <tr>
            <td><xsl:call-template name="identifier"><xsl:with-param name="header" select="."/></xsl:call-template></td>
            <td><xsl:value-of select="oai:datestamp"/></td>
            <td><xsl:for-each select="oai:setSpec"><xsl:value-of select="."/><xsl:text> </xsl:text></xsl:for-each></td>
          </tr>
        </xsl:for-each>
      </tbody>
    </table>
    <xsl:apply-templates select="oai:resumptionToken"/>
  </xsl:template>

  <xsl:template match="oai:ListRecords | oai:GetRecord">
    <xsl:apply-templates select="oai:record"/>
    <xsl:apply-templates select="oai:resumptionToken"/>
  </xsl:template>

  <xsl:template match="oai:record">
    <article class="oai-record">
      <h2>
        <xsl:choose>
          <xsl:when test="oai:metadata/oai_dc:dc/dc:title"><xsl:value-of select="oai:metadata/oai_dc:dc/dc:title[1]"/></xsl:when>
          <xsl:otherwise><xsl:value-of select="oai:header/oai:identifier"/></xsl:otherwise>
        </xsl:choose>
      </h2>
      <p class="muted">
        <xsl:call-template name="identifier"><xsl:with-param name="header" select="oai:header"/></xsl:call-template>
        <xsl:text> · </xsl:text><xsl:value-of select="oai:header/oai:datestamp"/>
        <xsl:for-each select="oai:header/oai:setSpec"><xsl:text> · </xsl:text><xsl:value-of select="."/></xsl:for-each>
      </p>
      <xsl:if test="oai:metadata">
        <dl class="fields"><xsl:apply-templates select="oai:metadata/*/*" mode="tree"/></dl>
      </xsl:if>
      <xsl:for-each select="oai:about/*">
        <details><summary><xsl:value-of select="local-name()"/></summary><dl class="fields"><xsl:apply-templates select="*" mode="tree"/></dl></details>
      </xsl:for-each>
    </article>
  </xsl:template>

  <!-- Whatever the format: names beside values, a level in for elements that hold others. -->
  <xsl:template match="*" mode="tree">
    <dt><xsl:value-of select="local-name()"/></dt>
    <dd>
      <xsl:choose>
        <xsl:when test="*"><dl class="fields"><xsl:apply-templates select="*" mode="tree"/></dl></xsl:when>
        <xsl:otherwise><xsl:value-of select="."/></xsl:otherwise>
      </xsl:choose>
    </dd>
  </xsl:template>

  <xsl:template name="identifier">
    <xsl:param name="header"/>
    <xsl:choose>
      <xsl:when test="$header/@status = 'deleted'"><s><xsl:value-of select="$header/oai:identifier"/></s> (deleted)</xsl:when>
      <!-- Identifiers with characters that would need escapes in an address are not linked: XSLT 1.0 cannot escape them. -->
      <xsl:when test="translate($header/oai:identifier, '&amp;#%+ &quot;', '') = $header/oai:identifier">
        <a href="{concat($base, '?verb=GetRecord&amp;metadataPrefix=', $prefix, '&amp;identifier=', $header/oai:identifier)}"><xsl:value-of select="$header/oai:identifier"/></a>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$header/oai:identifier"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="oai:resumptionToken">
    <p class="muted">
      <xsl:if test="@completeListSize"><xsl:value-of select="concat('From ', @cursor + 1, ' of ', @completeListSize, '. ')"/></xsl:if>
      <xsl:if test="string(.)"><a rel="next" href="{concat($base, '?verb=', $verb, '&amp;resumptionToken=', .)}">Next page</a></xsl:if>
    </p>
  </xsl:template>
</xsl:stylesheet>
