/** The language of a text by its small words, or by its script. Says nothing rather than something wrong. */
import { splitWords } from '../../query/words.ts';

/** The most frequent words that carry no meaning, folded; those that most languages share are left out. */
const SMALL_WORDS: Readonly<Record<string, string>> = {
  en: 'the of and to in is that for it with as was on are by this be from or have which not at an you they has were their been we our can will would there',
  de: 'der die und das den von zu ist mit sich des auf fur nicht dem ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem uber zum zur oder wir ihr ich',
  fr: 'le la les de des et un une du dans est que pour qui par sur pas au plus ne se ce il sont avec son cette ou aux nous vous mais leur ses elle etre ont dont sa',
  es: 'de la que el en y los se del las un por con una su para es al lo como mas pero sus le ha este si porque esta entre cuando muy sin sobre ser tiene tambien hay donde',
  it: 'di che e il la in un una per non sono con si del della le da dei al i nel alla piu anche come gli ma delle questo lo ha dal su degli nella o essere stato',
  pt: 'de a o que e do da em um para com nao uma os no se na por mais as dos como mas ao das tem seu sua ou quando muito nos ja tambem so pelo pela ate isso entre foi sao',
  nl: 'de het een van en in is dat op te zijn met voor niet aan er die ook om als door maar bij naar over uit wordt deze of worden heeft nog dan meer tot werd wat was',
  sv: 'och att det i en som pa ar av for med den till inte har de ett om var jag men sig fran vi kan eller nar hade vid ut ska efter skulle dar',
  da: 'og at det i en som pa er af for med den til ikke har de et om var jeg men sig fra vi kan eller nar havde ved ud skal efter ville der blev',
  pl: 'w i na z sie nie do to ze jest jak o po przez od za dla oraz byc tego tym jego ale czy ktore ich przy juz lub sa byl co tak ktory',
  cs: 'a se na v je ze s z do to pro by o jako za byl po jeho jsou ve od aby ale nebo bylo jsem ktery ktere take podle pri jen tak',
  fi: 'ja on ei se etta oli hanen mutta ovat kun niin han joka myos tai jos ole sen ollut kuin olla mita jonka nyt vain sita tama',
  hu: 'a az es hogy nem is egy volt meg ez csak de mint azt el van ki ha vagy sem ezt ami lehet mar kell minden pedig',
  tr: 've bir bu da de icin ile olarak cok daha gibi olan ne kadar sonra en ya ama o her ise mi degil var olduğu',
};

/** By word, the languages that have it. */
const TABLE = new Map<string, string[]>();
for (const [language, words] of Object.entries(SMALL_WORDS))
  for (const word of words.split(' ')) TABLE.set(word, [...(TABLE.get(word) ?? []), language]);

/** Scripts that one language, or few, are written in. */
const SCRIPTS: readonly (readonly [letters: RegExp, languages: readonly string[]])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, ['ja']],
  [/\p{Script=Hangul}/gu, ['ko']],
  [/\p{Script=Han}/gu, ['zh', 'ja', 'yue', 'wuu']],
  [/\p{Script=Cyrillic}/gu, ['ru', 'uk', 'bg', 'be', 'sr', 'mk', 'kk', 'ky', 'mn', 'tg', 'bs', 'uz', 'az']],
  [/\p{Script=Greek}/gu, ['el', 'grc']],
  [/\p{Script=Hebrew}/gu, ['he', 'iw', 'yi']],
  [/\p{Script=Arabic}/gu, ['ar', 'fa', 'ur', 'ps', 'ug', 'sd', 'ku', 'ckb', 'az', 'ms']],
  [/\p{Script=Thai}/gu, ['th']],
  [/\p{Script=Devanagari}/gu, ['hi', 'mr', 'ne', 'sa']],
];

const FEWEST_CHARACTERS = 200;
const FEWEST_WORDS = 60;
/** Of a text in Latin letters, small words are a third and more; of lists of names, hardly any. */
const LEAST_SHARE = 0.15;
const LEAD = 1.5;
const MOST_CHARACTERS = 6000;
/** Behind Latin, its accents and additions. */
const OTHER_SCRIPTS = /[\u0370-\u1dff\u2e80-\uffff]/g;

/** Codes of ISO 639-1: one, or those that share the script. */
export function languagesOfText(text: string): readonly string[] | undefined {
  const beginning = text.slice(0, MOST_CHARACTERS);
  if (beginning.length < FEWEST_CHARACTERS) return undefined;
  const others = beginning.match(OTHER_SCRIPTS)?.length ?? 0;
  const letters = others > beginning.length / 20 ? (beginning.match(/\p{L}/gu)?.length ?? 0) : 0;
  for (const [pattern, languages] of letters > 0 ? SCRIPTS : []) {
    const found = beginning.match(pattern)?.length ?? 0;
    // Japanese is mostly Han with some kana.
    if (found / letters > (languages[0] === 'ja' ? 0.1 : 0.6)) return languages;
  }
  return languageBySmallWords(splitWords(beginning));
}

function languageBySmallWords(words: readonly string[]): readonly string[] | undefined {
  if (words.length < FEWEST_WORDS) return undefined;
  const counts = new Map<string, number>();
  for (const word of words)
    for (const language of TABLE.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  const ranked = Array.from(
    counts,
    ([language, count]) => [language, count / words.length] as const,
  ).toSorted(([, a], [, b]) => b - a);
  const [first, second = ['', 0]] = ranked;
  if (!first || first[1] < LEAST_SHARE || first[1] < second[1] * LEAD) return undefined;
  return [first[0]];
}

/** Whether a text in that language would have been recognised, had it been written in it. */
export const knowsLanguage = (code: string): boolean =>
  Object.hasOwn(SMALL_WORDS, code) || SCRIPTS.some(([, languages]) => languages.includes(code));
