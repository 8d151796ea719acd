// `~uilm/react` in an application of Next.js.
export { useLanguage } from '#language'
