// The language of the page, for files that are shared with other bundlers.
export { closestLanguage } from './languages.js'
export { getLanguage, setLanguage, subscribe } from '#language'
