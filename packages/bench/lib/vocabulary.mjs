/** Words of user interfaces, most frequent first. */
export const words = (
  'the to your a for of in is and on this not you with are from be by can all or it that please ' +
  'order account name add save email new no password date payment address items price delete code ' +
  'file page list cart number customer delivery user time change project total open settings group ' +
  'close status invoice create view select sign product message edit amount later remove search ' +
  'language details report again role send store day start card choose card before team more show ' +
  'after download upload first last back next continue cancel confirm phone country city street ' +
  'access error try value required invalid selected empty minutes hours available return shipping ' +
  'discount tax method update plan billing subscription member invite organization workspace link ' +
  'copy share export import filter sort column row table field form step review submit approve ' +
  'reject request response comment reply thread notification reminder calendar event schedule ' +
  'week month year today yesterday tomorrow between until since already once twice never always ' +
  'only other another same different current previous original final draft published archived ' +
  'active inactive enabled disabled hidden visible public private shared owned assigned pending ' +
  'completed failed expired connected offline online secure verified unknown default custom ' +
  'advanced basic monthly yearly free trial limit usage storage device browser session token key ' +
  'permission policy terms privacy cookie support help contact feedback question answer guide ' +
  'tutorial feature preview version release history activity log audit dashboard chart summary ' +
  'average percent increase decrease quantity stock warehouse supplier category brand size colour ' +
  'weight length width height material quality condition rating wish gift voucher coupon reward ' +
  'points level badge profile picture avatar birthday gender title company department position ' +
  'manager employee contract salary expense budget forecast target result score rank progress ' +
  'attachment document folder template signature stamp printer scanner camera microphone speaker'
).split(' ')

/** Parameter names of real messages. */
export const parameterNames =
  'count name email date amount total product order user minutes city project number limit'.split(
    ' ',
  )

/** Areas of an application, used as module names. */
export const moduleNames = (
  'common auth account cart catalog checkout orders billing team settings search support errors ' +
  'emails reports inventory calendar messages onboarding admin'
).split(' ')

/** Language codes, the default first. */
export const languageCodes = (
  'en-US de-DE fr-FR es-ES ja-JP ar-EG ru-RU pt-BR it-IT nl-NL pl-PL tr-TR ko-KR sv-SE el-GR ' +
  'cs-CZ hi-IN bn-BD fi-FI uk-UA'
).split(' ')

/** Consonants and vowels of syllables, by language; other languages use `default`. */
export const alphabets = /** @type {Readonly<Record<string, readonly [string, string]>>} */ ({
  ru: ['бвгджзклмнпрстфхцчш', 'аеиоуыюя'],
  uk: ['бвгджзклмнпрстфхцчш', 'аеиіоуюя'],
  el: ['βγδζθκλμνξπρστφχψ', 'αεηιουω'],
  ar: ['بتثجحخدذرزسشصضطعغفقكلمنه', 'اوي'],
  hi: ['कखगघचजटडतथदधनपबमयरलवसह', 'ािीुेो'],
  bn: ['কখগঘচজটডতথদধনপবমযরলশসহ', 'ািীুেো'],
  ja: ['かきくけこさしすせそたちつてと', 'なにぬねのはひふへほまみむめもらりるれろん'],
  ko: ['가나다라마바사아자차카타파하', '기니디리미비시이지치구누두루'],
  default: ['bcdfghjklmnprstvwz', 'aeiouy'],
})
