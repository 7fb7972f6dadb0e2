/** What editors, templates and servers put there as long as nobody says anything. */
import type { JudgedElement } from '../../formats/web-capture.ts';
import type { TrustRule } from './judged-page.ts';

const ANYWHERE =
  /^(?:lorem ipsum\b|(?:your|my|page|site|insert|enter|add|the) (?:\w+ ){0,3}here$|\{\{.*\}\}$|\[%.*%\]$|<\?|%\w+%$|n\/a$|none$|null$|undefined$|todo$|xxx+$|\?+$)/i;

const DEFAULTS: Readonly<Partial<Record<JudgedElement, RegExp>>> = {
  title:
    /^(?:untitled(?:[ -]?(?:document|page|\d+))?(?: \d+)?|(?:new|nouvelle|neue|nueva|nuova) (?:page|seite|página|pagina)(?: \d+)?|no title|kein titel|sans titre|sin título|senza titolo|(?:page|document|site) title|unbenannt(?:es dokument)?|unbenannte seite|document sans (?:titre|nom)|documento sin título|documento senza titolo|index(?:\.\w+)?|default(?: (?:web ?site )?page)?|home ?page|webpage|web page|(?:microsoft )?(?:word|powerpoint|excel|frontpage)(?: -.*|$)|my (?:home|web) ?page|welcome to (?:nginx|centos|caddy|adobe golive \d*)!?|it works!?|(?:apache\d* .*|iis\d*(?: windows.*)?|test page for .*)|(?:doc|document|presentation|slide|folie|dokument)\s?\d+|page \d+|layout \d+|page title|react app|vite \+ .*|just another wordpress (?:site|weblog))$/i,
  description:
    /^(?:(?:a |the |short |your |page |site )*description(?: of (?:the|this|your) (?:page|site|website))?\.?|joomla!? - .*|just another wordpress (?:site|weblog)|web site created using create-react-app|powered by .{1,40}|beschreibung|description de la page)$/i,
  subject:
    /^(?:keywords?|key ?word ?\d+|joomla|your keywords?|mot-?clé ?\d*|schlüssel ?wort ?\d*|stichwort ?\d*)$/i,
  creator:
    /^(?:author|author name|your name|name|unknown(?: author)?|(?:the )?(?:admin(?:istrator)?|super user|webmaster|user|owner|default|guest|root|nobody|pc|compaq|hp|dell|acer|customer|preferred customer|valued customer))$/i,
  publisher: /^(?:publisher|your (?:company|organi[sz]ation)|company|organi[sz]ation|site ?name)$/i,
};

export const generatorDefaults: TrustRule = ({ element, values }) => {
  const pattern = DEFAULTS[element];
  // Of a list, all of it must be such: a keyword "joomla" among others may be meant.
  const isDefault = (value: string) => pattern?.test(value.trim()) || ANYWHERE.test(value.trim());
  if (values.length === 0 || !values.every(isDefault)) return undefined;
  return {
    rule: 'generator-default',
    reason: 'it is what editors and templates put there as long as nobody says anything',
    weight: 0.8,
  };
};
