// The language of the page. Next.js has a file of its own in its place.
export { closestLanguage, getLanguage, setLanguage, subscribe } from './runtime.js'
