/** Pages of all ages, written for the tests, each with the links that a reader must find in it. */
import type { LinkKind } from '../../src/archive/content/link.ts';

export interface SamplePage {
  readonly what: string;
  readonly url: string;
  readonly type?: string;
  readonly content: string;
  /** Kind, address, and marks: `?` for a guess, `-` for one that has no place in the bytes. */
  readonly links: readonly (readonly [kind: LinkKind, url: string, marks?: string])[];
}

const page = (
  what: string,
  content: string,
  links: SamplePage['links'],
  url = 'http://www.example.org/dir/page.html',
  type = 'text/html',
): SamplePage => ({ what, content, links, url, type });

export const SAMPLE_PAGES: readonly SamplePage[] = [
  page(
    'a frameset of 1997, with a page for browsers without frames',
    `<HTML><HEAD><TITLE>Harbour Observatory</TITLE></HEAD>
<FRAMESET ROWS="80,*" BORDER=0>
  <FRAME SRC="top.htm" NAME=top SCROLLING=no>
  <FRAMESET COLS="150,*"><FRAME SRC=menu.htm><FRAME NAME="main" SRC='/tides/main.htm' LONGDESC=main-desc.htm></FRAMESET>
</FRAMESET>
<NOFRAMES><BODY BACKGROUND="sand.gif"><A HREF="noframes.htm">Enter <IMG SRC="go.gif" ALT="here"></A></BODY></NOFRAMES></HTML>`,
    [
      ['frame', 'http://www.example.org/dir/top.htm'],
      ['frame', 'http://www.example.org/dir/menu.htm'],
      ['frame', 'http://www.example.org/tides/main.htm'],
      ['page', 'http://www.example.org/dir/main-desc.htm'],
      ['image', 'http://www.example.org/dir/sand.gif'],
      ['page', 'http://www.example.org/dir/noframes.htm'],
      ['image', 'http://www.example.org/dir/go.gif'],
    ],
  ),
  page(
    'a table layout with image maps, rollovers and a counter',
    `<html><body bgcolor=#ffffff background="img/bg.jpg" onload="preload('img/on.gif')">
<table background=img/cell.gif><tr background='img/row.gif'><td background="img/td.gif"><font face=Arial>
<a href="news.html" onmouseover="document.pic.src='img/over.gif'; return true"><img name=pic src="img/off.gif" lowsrc="img/low.gif" border=0></a>
<img src=img/map.gif usemap="#m"><map name=m><area shape=rect coords="0,0,9,9" href="north.html" alt="North"><area nohref></map>
<a href="javascript:openWindow('popup.html','w')">popup</a> <a href="mailto:who@example.org">mail</a>
<form action=/cgi-bin/search.pl><input type=image src=find.gif></form>
<bgsound src="tune.mid"><a href="#top">top</a><a href="">here</a>
<isindex action="index.cgi"><img dynsrc="clip.avi" src="clip.gif">
</td></tr></table></body></html>`,
    [
      ['image', 'http://www.example.org/dir/img/bg.jpg'],
      ['image', 'http://www.example.org/dir/img/on.gif', '?'],
      ['image', 'http://www.example.org/dir/img/cell.gif'],
      ['image', 'http://www.example.org/dir/img/row.gif'],
      ['image', 'http://www.example.org/dir/img/td.gif'],
      ['page', 'http://www.example.org/dir/news.html'],
      ['image', 'http://www.example.org/dir/img/over.gif', '?'],
      ['image', 'http://www.example.org/dir/img/off.gif'],
      ['image', 'http://www.example.org/dir/img/low.gif'],
      ['image', 'http://www.example.org/dir/img/map.gif'],
      ['page', 'http://www.example.org/dir/north.html'],
      ['page', 'http://www.example.org/dir/popup.html', '?'],
      ['form', 'http://www.example.org/cgi-bin/search.pl'],
      ['image', 'http://www.example.org/dir/find.gif'],
      ['media', 'http://www.example.org/dir/tune.mid'],
      ['form', 'http://www.example.org/dir/index.cgi'],
      ['media', 'http://www.example.org/dir/clip.avi'],
      ['image', 'http://www.example.org/dir/clip.gif'],
    ],
  ),
  page(
    'plug-ins: Flash twice over, an applet, an object with a codebase',
    `<object classid="clsid:D27CDB6E-AE6D-11cf-96B8-444553540000" codebase="http://plugins.example.com/swflash.cab#version=4,0,2,0">
<param name="movie" value="intro.swf"><param name=quality value=high>
<embed src="intro.swf" quality=high pluginspage="http://plugins.example.com/get/" type="application/x-shockwave-flash"></embed></object>
<applet codebase="classes" code="org.example.Clock.class" archive="clock.jar, util.jar"><param name=image value=face.gif></applet>
<object data="drawing.svg" codebase="/art/" archive="a.zip b.zip" type="image/svg+xml"><img src="drawing.png"></object>
<embed src=song.ram autostart=false><noembed><a href="song.html">words</a></noembed>`,
    [
      ['data', 'http://plugins.example.com/swflash.cab'],
      ['object', 'http://www.example.org/dir/intro.swf'],
      ['object', 'http://www.example.org/dir/intro.swf'],
      ['page', 'http://plugins.example.com/get/'],
      ['object', 'http://www.example.org/dir/classes/clock.jar'],
      ['object', 'http://www.example.org/dir/classes/util.jar'],
      ['object', 'http://www.example.org/dir/classes/org/example/Clock.class'],
      ['object', 'http://www.example.org/dir/classes/face.gif'],
      ['object', 'http://www.example.org/art/drawing.svg'],
      ['object', 'http://www.example.org/art/a.zip'],
      ['object', 'http://www.example.org/art/b.zip'],
      ['image', 'http://www.example.org/dir/drawing.png'],
      ['object', 'http://www.example.org/dir/song.ram'],
      ['page', 'http://www.example.org/dir/song.html'],
    ],
  ),
  page(
    'broken markup',
    `<html><body><a href="one.html>One</a><p><img src="two.gif"
<a href='three.html'>Three<a href=four.html>Four</b></i></zzz>
<a href = "fi&#118;e.html?a=1&b=2&amp;c=3&copy=4"  >Five</a><a
href="
  six.html
">Six</a><A HREF=seven.html/>Seven</A><a href=eight.html class=x href=never.html>Eight
<!-- unfinished comment <a href=nine.html>`,
    [
      // The quote that was forgotten swallows up to the next, as in browsers.
      ['page', 'http://www.example.org/dir/one.html%3EOne%3C/a%3E%3Cp%3E%3Cimg%20src='],
      ['page', 'http://www.example.org/dir/four.html'],
      ['page', 'http://www.example.org/dir/five.html?a=1&b=2&c=3&copy=4'],
      ['page', 'http://www.example.org/dir/six.html'],
      ['page', 'http://www.example.org/dir/seven.html/'],
      ['page', 'http://www.example.org/dir/eight.html'],
    ],
  ),
  page(
    'a modern page',
    `<!doctype html><html lang=en manifest="app.appcache"><head>
<link rel="stylesheet preload" href="/s.css" as=style><link rel=icon href=/favicon.ico sizes=any>
<link rel=preload as=font href=/f.woff2 crossorigin><link rel=modulepreload href=/m.js><link rel=preconnect href=//cdn.example.net>
<link rel=preload as=image imagesrcset="/h-1.avif 1x, /h-2.avif 2x" href=/h-1.avif>
<link rel=canonical href=https://www.example.org/canonical><link rel=alternate hreflang=de href=/de/>
<link rel=alternate type=application/rss+xml title=News href=/feed.xml><link rel=manifest href=/app.webmanifest>
<link rel="next" href="?page=2"><meta property="og:image" content="/share.png">
<script type=importmap>{"imports":{"app":"./app.mjs","lib/":"https://cdn.example.net/lib/"}}</script>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","url":"https://www.example.org/a","image":["/one.jpg"],"author":{"@type":"Person","sameAs":"https://people.example.org/x","x":"https://other.example/"}}</script>
<style>@import url("print.css") print; .h{background:image-set("a.png" 1x, url(b.png) 2x)}</style></head>
<body><main><picture><source srcset="p.avif, p2.avif 2x" type=image/avif><img src=p.jpg srcset="p-300.jpg 300w, p-600.jpg 600w" alt="A ship"></picture>
<video poster=v.jpg src=v.webm><source src=v.mp4><track src=v.vtt></video><audio src=a.opus></audio>
<iframe src="/frame" srcdoc="<a href='/inner'>in</a>">fallback <a href=/fallback>x</a></iframe>
<img data-src="lazy.jpg" data-srcset="lazy2.jpg 2x"><div data-bg="lazybg.jpg" style="background-image: url(&quot;inline.png&quot;)"></div>
<svg><use xlink:href="/icons.svg#a"/><image href="/pic.png"/><a xlink:href="/svg-link"><text>t</text></a><title>icon</title></svg>
<button formaction=/save>Save</button><blockquote cite=/source>q</blockquote><a href=/p ping="/ping1 /ping2">P</a>
<noscript><img src=/noscript.png></noscript>
<!--[if lt IE 9]><script src="/html5shiv.js"></script><![endif]-->
<script type=module>import x from "./x.mjs"; const u = \`/api/items\`; const v = \`/api/\${id}\`; fetch("/api/list" + q)</script>
</main></body></html>`,
    [
      ['data', 'http://www.example.org/dir/app.appcache'],
      ['style', 'http://www.example.org/s.css'],
      ['image', 'http://www.example.org/favicon.ico'],
      ['font', 'http://www.example.org/f.woff2'],
      ['script', 'http://www.example.org/m.js'],
      ['image', 'http://www.example.org/h-1.avif'],
      ['image', 'http://www.example.org/h-1.avif'],
      ['image', 'http://www.example.org/h-2.avif'],
      ['canonical', 'https://www.example.org/canonical'],
      ['alternate', 'http://www.example.org/de/'],
      ['feed', 'http://www.example.org/feed.xml'],
      ['data', 'http://www.example.org/app.webmanifest'],
      ['page', 'http://www.example.org/dir/page.html?page=2'],
      ['image', 'http://www.example.org/share.png', '?'],
      ['script', 'http://www.example.org/dir/app.mjs'],
      ['script', 'https://cdn.example.net/lib/'],
      ['page', 'https://www.example.org/a'],
      ['image', 'http://www.example.org/one.jpg'],
      ['page', 'https://people.example.org/x'],
      ['page', 'https://other.example/', '?'],
      ['style', 'http://www.example.org/dir/print.css'],
      ['image', 'http://www.example.org/dir/a.png'],
      ['image', 'http://www.example.org/dir/b.png'],
      ['image', 'http://www.example.org/dir/p.avif'],
      ['image', 'http://www.example.org/dir/p2.avif'],
      ['image', 'http://www.example.org/dir/p.jpg'],
      ['image', 'http://www.example.org/dir/p-300.jpg'],
      ['image', 'http://www.example.org/dir/p-600.jpg'],
      ['image', 'http://www.example.org/dir/v.jpg'],
      ['media', 'http://www.example.org/dir/v.webm'],
      ['media', 'http://www.example.org/dir/v.mp4'],
      ['media', 'http://www.example.org/dir/v.vtt'],
      ['media', 'http://www.example.org/dir/a.opus'],
      ['frame', 'http://www.example.org/frame'],
      ['page', 'http://www.example.org/inner', '-'],
      ['page', 'http://www.example.org/fallback'],
      ['image', 'http://www.example.org/dir/lazy.jpg', '?'],
      ['image', 'http://www.example.org/dir/lazy2.jpg', '?'],
      ['image', 'http://www.example.org/dir/lazybg.jpg', '?'],
      ['image', 'http://www.example.org/dir/inline.png'],
      ['image', 'http://www.example.org/icons.svg'],
      ['image', 'http://www.example.org/pic.png'],
      ['page', 'http://www.example.org/svg-link'],
      ['form', 'http://www.example.org/save'],
      ['page', 'http://www.example.org/source'],
      ['page', 'http://www.example.org/p'],
      ['data', 'http://www.example.org/ping1'],
      ['data', 'http://www.example.org/ping2'],
      ['image', 'http://www.example.org/noscript.png'],
      ['script', 'http://www.example.org/html5shiv.js', '?'],
      ['script', 'http://www.example.org/dir/x.mjs', '?'],
      ['page', 'http://www.example.org/api/items', '?'],
    ],
  ),
  page(
    'a base that comes late, is relative, and is repeated',
    `<img src=before.gif><a href=later.html>x</a><base href="../moved/"><base href="/never/">
<img src=after.gif><meta http-equiv="Refresh" content="5 ; URL='gone.html' ">`,
    [
      // An image is fetched when it is met; a link is followed when the whole page is there.
      ['image', 'http://www.example.org/dir/before.gif'],
      ['page', 'http://www.example.org/moved/later.html'],
      ['image', 'http://www.example.org/moved/after.gif'],
      ['redirect', 'http://www.example.org/moved/gone.html'],
    ],
  ),
  page(
    'XHTML served as XML: empty tags are empty',
    `<?xml version="1.0"?><?xml-stylesheet href="x.css" type="text/css"?><!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="fr"><head><title>T</title><script src="a.js"/><link rel="stylesheet" href="b.css"/>
<style><![CDATA[ p { background: url(c.png) } ]]></style></head><body><a href="d.html">d</a></body></html>`,
    [
      ['style', 'http://www.example.org/dir/x.css'],
      ['script', 'http://www.example.org/dir/a.js'],
      ['style', 'http://www.example.org/dir/b.css'],
      ['image', 'http://www.example.org/dir/c.png'],
      ['page', 'http://www.example.org/dir/d.html'],
    ],
    undefined,
    'application/xhtml+xml',
  ),
  page(
    'a drawing',
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><style>rect{fill:url(#g)} text{font:url(t.woff)}</style>
<image xlink:href="photo.jpg"/><a href="more.html"><use href="#part"/></a><script href="move.js"/></svg>`,
    [
      ['image', 'http://www.example.org/dir/t.woff'],
      ['image', 'http://www.example.org/dir/photo.jpg'],
      ['page', 'http://www.example.org/dir/more.html'],
      ['script', 'http://www.example.org/dir/move.js'],
    ],
    undefined,
    'image/svg+xml',
  ),
  page(
    'an RSS feed with a page inside its text',
    `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>Tides</title><link>http://www.example.org/</link><image><url>/logo.gif</url></image>
<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="/feed.xml"/>
<item><title>High water</title><link> /posts/1?a=1&amp;b=2 </link><guid isPermaLink="false">tag:1</guid><comments>/posts/1#c</comments>
<enclosure url="/talk.mp3" type="audio/mpeg" length="1"/><description>&lt;a href="/in-text"&gt;x&lt;/a&gt;</description>
<content:encoded><![CDATA[<p><img src="/in-cdata.png"></p>]]></content:encoded></item></channel></rss>`,
    [
      ['page', 'http://www.example.org/'],
      ['image', 'http://www.example.org/logo.gif'],
      ['feed', 'http://www.example.org/feed.xml'],
      ['page', 'http://www.example.org/posts/1?a=1&b=2'],
      ['page', 'http://www.example.org/posts/1'],
      ['media', 'http://www.example.org/talk.mp3'],
      ['page', 'http://www.example.org/in-text', '-'],
      ['image', 'http://www.example.org/in-cdata.png', '-'],
    ],
    undefined,
    'application/rss+xml',
  ),
  page(
    'an Atom feed with a base',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://blog.example.net/en/"><title>B</title><link rel="self" href="feed"/><link href="."/>
<icon>icon.png</icon><entry xml:base="2004/"><title>One</title><link rel="alternate" href="one"/><link rel="enclosure" type="image/png" href="one.png"/>
<author><uri>/me</uri></author><content type="text/html" src="one.html"/></entry><link rel="next" href="?p=2"/></feed>`,
    [
      ['feed', 'http://blog.example.net/en/feed'],
      ['page', 'http://blog.example.net/en/'],
      ['image', 'http://blog.example.net/en/icon.png'],
      ['page', 'http://blog.example.net/en/2004/one'],
      ['image', 'http://blog.example.net/en/2004/one.png'],
      ['page', 'http://blog.example.net/me'],
      ['embed', 'http://blog.example.net/en/2004/one.html'],
      ['feed', 'http://blog.example.net/en/?p=2'],
    ],
    undefined,
    'application/atom+xml',
  ),
  page(
    'a sitemap with images, films and translations',
    `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i" xmlns:video="v" xmlns:xhtml="x">
<url><loc>http://www.example.org/a?x=1&amp;y=2</loc><lastmod>2004-05-06</lastmod><image:image><image:loc>http://www.example.org/a.jpg</image:loc></image:image>
<video:video><video:thumbnail_loc>/t.jpg</video:thumbnail_loc><video:content_loc>/v.mp4</video:content_loc></video:video>
<xhtml:link rel="alternate" hreflang="de" href="http://www.example.org/de/a"/></url></urlset>`,
    [
      ['page', 'http://www.example.org/a?x=1&y=2'],
      ['image', 'http://www.example.org/a.jpg'],
      ['image', 'http://www.example.org/t.jpg'],
      ['media', 'http://www.example.org/v.mp4'],
      ['alternate', 'http://www.example.org/de/a'],
    ],
    undefined,
    'text/xml',
  ),
  page(
    'a sitemap index',
    `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://www.example.org/s1.xml.gz</loc></sitemap></sitemapindex>`,
    [['feed', 'http://www.example.org/s1.xml.gz']],
    undefined,
    'application/xml',
  ),
  page(
    'any XML with XLink',
    `<?xml-stylesheet type="text/xsl" href="show.xsl"?><mets xmlns:xlink="http://www.w3.org/1999/xlink"><FLocat xlink:href="http://www.example.org/officers.htm"/><x xlink:href="pic.gif"/></mets>`,
    [
      ['style', 'http://www.example.org/dir/show.xsl'],
      ['page', 'http://www.example.org/officers.htm'],
      ['image', 'http://www.example.org/dir/pic.gif'],
    ],
    undefined,
    'application/xml',
  ),
  page(
    'a style sheet with comments, escapes, strings and tricks',
    `@charset "utf-8"; @namespace svg url(http://www.w3.org/2000/svg); /* url(no.png) */
@import 'reset.css'; @import url(theme.css) screen and (color); @IMPORT url( "sp ace.css" );
@font-face { font-family: F; src: local("F"), url(f.woff2) format("woff2"), url('f.ttf') }
a { background: #fff URL( bg.png ) no-repeat; content: "url(no2.png)" } b { background: \\75rl(esc.png), url(par\\)en.png) }
i { background: url(data:image/png;base64,AAAA) } u { cursor: url(c.cur), auto; list-style: url("q'uote.png") }
s { background-image: -webkit-image-set(url(1x.png) 1x, "2x.png" 2x type("image/png")) }
em { filter: progid:DXImageTransform.Microsoft.AlphaImageLoader(src='ie.png', sizingMethod=scale); behavior: url(fix.htc) }
q { background: url(unclosed.png`,
    [
      ['style', 'http://www.example.org/dir/reset.css'],
      ['style', 'http://www.example.org/dir/theme.css'],
      ['style', 'http://www.example.org/dir/sp%20ace.css'],
      ['font', 'http://www.example.org/dir/f.woff2'],
      ['font', 'http://www.example.org/dir/f.ttf'],
      ['image', 'http://www.example.org/dir/bg.png'],
      ['image', 'http://www.example.org/dir/esc.png'],
      ['image', 'http://www.example.org/dir/par)en.png'],
      ['image', 'http://www.example.org/dir/c.cur'],
      ['image', "http://www.example.org/dir/q'uote.png"],
      ['image', 'http://www.example.org/dir/1x.png'],
      ['image', 'http://www.example.org/dir/2x.png'],
      ['image', 'http://www.example.org/dir/ie.png', '?'],
      ['script', 'http://www.example.org/dir/fix.htc'],
      ['image', 'http://www.example.org/dir/unclosed.png'],
    ],
    undefined,
    'text/css',
  ),
  page(
    'a script',
    `// "/comment.html"
/* 'http://comment.example/' */ var re = /["']\\/x.html/g, half = a / b / "quot.html".length;
location = "next.html"; load('http://cdn.example.net/lib.js?v=1'); img.src = "\\/escaped\\/pic.gif";
var part = '/img/' + n + '.gif', whole = "//cdn.example.net/x.css", mime = "text/html", word = 'hello', ext = ".html";
var t = \`/plain/template.json\`, u = \`/\${x}/y.html\`, ver = "1.2.3", sel = "#id/.cls", date = "01/02/2004"; go('/deep/path/'); /unclosed`,
    [
      ['page', 'http://www.example.org/dir/quot.html', '?'],
      ['page', 'http://www.example.org/dir/next.html', '?'],
      ['script', 'http://cdn.example.net/lib.js?v=1', '?'],
      ['image', 'http://www.example.org/escaped/pic.gif', '?'],
      ['style', 'http://cdn.example.net/x.css', '?'],
      ['data', 'http://www.example.org/plain/template.json', '?'],
      ['page', 'http://www.example.org/deep/path/', '?'],
    ],
    undefined,
    'text/javascript',
  ),
  page(
    'a web app manifest',
    `{"name":"App","start_url":"/app?x=1","icons":[{"src":"icons\\/192.png","sizes":"192x192"}],"$schema":"https://json.example/s"}`,
    [
      ['page', 'http://www.example.org/app?x=1'],
      ['image', 'http://www.example.org/dir/icons/192.png'],
    ],
    undefined,
    'application/manifest+json',
  ),
];
