// Messages in the Pages Router: they are part of the properties of a page.
import Router from 'next/router'
import { createElement } from 'react'
import { Segment } from './client.js'

const router = {
  locale: () => Router.locale,
  replace: (href, options) => Router.replace(href, undefined, options),
  refresh: () => Router.replace(Router.asPath, undefined, { scroll: false }),
  setLocale: (locale) => Router.replace(Router.asPath, undefined, { locale, scroll: false }),
}

/** Returns a page, or the component around all pages, with the messages of its properties. */
export const withPageMessages = (Component) => {
  function WithPageMessages(props) {
    const { $uilm, ...own } = props
    const messages = $uilm ?? props.pageProps?.$uilm
    const inner = createElement(Component, own)
    return messages ? createElement(Segment, { ...messages, router }, inner) : inner
  }
  // Such as getLayout and getInitialProps.
  return Object.assign(WithPageMessages, Component)
}
