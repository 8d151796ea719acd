// Adds the messages of a page to its properties. Part of servers only.
import { closestLanguage, defaultLanguage } from './languages.js'
import { cookieName } from './project.js'
import { rootParamNames } from './root-param-names.js'
import { runInLanguage } from './scope.js'
import { matchLanguage } from './server.js'
import { listMessages, textsOf } from './texts.js'
import { timeZoneOfCookie } from './time-zone.js'
import { timeZoneCookie } from './time-zone-cookie.js'

/**
 * Returns `getServerSideProps` or `getStaticProps` with the messages of a page. Messages that
 * the function calls are in the language of the page.
 */
export function withPageProps(load, sources) {
  const messages = [...listMessages(sources)]
  return async (context) => {
    const language = languageOf(context)
    const timeZone = timeZoneCookie && timeZoneOfCookie(context.req?.cookies[timeZoneCookie])
    const result = load
      ? await runInLanguage(language, () => load(context), timeZone)
      : { props: {} }
    if (!('props' in result)) return result
    const $uilm = {
      language,
      texts: textsOf(messages, language),
      ...(timeZone && { timeZone }),
      ...(context.locale === undefined ? {} : { locale: context.locale }),
      ...(parameterOf(context) === undefined ? {} : { parameter: parameterOf(context) }),
    }
    return { ...result, props: { ...(await result.props), $uilm } }
  }
}

const parameterOf = ({ params }) =>
  rootParamNames.map((name) => params?.[name]).find((value) => typeof value === 'string')

function languageOf(context) {
  const code = context.locale ?? parameterOf(context)
  if (code !== undefined) return closestLanguage(code) ?? defaultLanguage
  if (!context.req) return defaultLanguage
  const { cookies, headers } = context.req
  return closestLanguage(cookies[cookieName] ?? '') || matchLanguage(headers['accept-language'])
}
