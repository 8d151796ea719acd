// `~uilm/react` in an application of Next.js.
export { LanguageProvider, useLanguage, useTranslate } from '#language'
