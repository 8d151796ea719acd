/** Values of the parameters in all messages. */
export const values = { name: 'Ada <Lovelace>', place: 'London', count: 3 }

/** HTML of the elements that the tags stand for. */
export const elements = { link: 'a', b: 'b', i: 'i', code: 'code' } as const

/** Messages with tags, in ICU syntax. Those without a choice are also messages of i18next. */
export const messages: Readonly<Record<string, string>> = {
  TERMS: 'By signing up you accept our <link>terms</link>.',
  FIRST: '<link>Terms</link> come first.',
  LAST: 'Read the <link>terms</link>',
  ONLY: '<b>Everything</b>',
  TWO: '<link>Terms</link> and <b>conditions</b>',
  TWICE: '<b>One</b> and <b>two</b> and <b>three</b>',
  ADJACENT: '<b>bold</b><i>italic</i>',
  NESTED: 'See <link>the <b>new</b> terms</link>.',
  DEEP: '<b>a <i>b <link>c <code>d</code> e</link> f</i> g</b>',
  NESTED_TWICE: '<link><b><i>all of it</i></b></link>',
  PARAMETER: 'Hello <b>{name}</b>!',
  PARAMETERS: '<b>{name}</b> lives in <i>{place}</i>',
  AROUND: '{name} read the <link>terms</link> in {place}.',
  MIXED: '<link>Terms for {name} in <b>{place}</b></link>, again {name}',
  ENTITIES: 'Tom & <b>Jerry</b> say "hi"',
  LESS: '1 < 2 and <b>2 > 1</b>',
  ARABIC: 'اقرأ <link>الشروط</link> من فضلك',
  JAPANESE: '<link>利用規約</link>に同意します',
  EMOJI: '<b>👩‍🚀</b> to the <i>🌕</i>',
  SPACES: 'a  <b> b </b>  c',
  LINES: 'one\ntwo <b>three\nfour</b>',
  LONG: `${'word '.repeat(60)}<b>end</b>`,
  QUESTION: 'Delete <b>{name}</b>? <i>This cannot be undone.</i>',
  CODE: 'Run <code>npm install</code>, then <code>npm test</code>.',
  PLURAL: '{count, plural, one {<b>One</b> item} other {<b>{count}</b> items}}',
  PLURAL_INSIDE: 'You have <link>{count, plural, one {one item} other {{count} items}}</link>.',
  PLURAL_BOTH: '<b>{name}</b> has {count, plural, one {<i>one</i>} other {<i>{count}</i> items}}.',
  SELECT: '{place, select, London {<b>Home</b>} other {<i>Abroad</i>}} again',
  NESTED_CHOICE:
    '{place, select, London {<b>{count, plural, one {one} other {<i>{count}</i>}}</b>} other {<i>x</i>}}',
  CHOICE_BETWEEN: '<b>a</b>{count, plural, one {b} other {c}}<i>d</i>',
}

/** Messages of i18next, which has neither choices nor nested plurals. */
export const simpleNames = Object.keys(messages).filter(
  (name) => !/, (?:plural|select),/.test(messages[name]!),
)
