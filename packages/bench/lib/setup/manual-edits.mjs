/**
 * Files that a user writes by hand after the commands of a peer, as its documentation says.
 * The page shows one typed message in two languages.
 *
 * @type {Readonly<Record<'paraglide' | 'next-intl', Readonly<Record<string, string | ((text: string) => string)>>>>}
 */
export const manualEdits = {
  // https://paraglidejs.com/vite: `init` writes the messages and the plugin.
  paraglide: {
    'tsconfig.app.json': (text) =>
      text.replace('"noEmit": true,', '"noEmit": true,\n    "allowJs": true,'),
    'src/App.tsx': `import { m } from './paraglide/messages.js'
import { locales, setLocale } from './paraglide/runtime.js'

export default function App() {
  return (
    <main>
      <h1>{m.example_message({ username: 'Ada' })}</h1>
      {locales.map((locale) => (
        <button key={locale} onClick={() => setLocale(locale)}>
          {locale}
        </button>
      ))}
    </main>
  )
}
`,
  },
  // https://next-intl.dev/docs/getting-started/app-router, and its section on TypeScript.
  'next-intl': {
    'messages/en.json': '{ "HomePage": { "title": "Hello world!" } }\n',
    'messages/de.json': '{ "HomePage": { "title": "Hallo Welt!" } }\n',
    'i18n/request.ts': `import { cookies } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'

export default getRequestConfig(async () => {
  const locale = (await cookies()).get('locale')?.value ?? 'en'
  return { locale, messages: (await import(\`../messages/\${locale}.json\`)).default }
})
`,
    'next.config.ts': `import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'

const nextConfig: NextConfig = {}

export default createNextIntlPlugin()(nextConfig)
`,
    'global.d.ts': `import messages from './messages/en.json'

declare module 'next-intl' {
  interface AppConfig {
    Messages: typeof messages
  }
}
`,
    // The scaffold has cacheComponents on, so what reads cookies is inside Suspense.
    'app/layout.tsx': `import { NextIntlClientProvider } from 'next-intl'
import { getLocale } from 'next-intl/server'
import { Suspense } from 'react'

export default function RootLayout(props: LayoutProps<'/'>) {
  return (
    <Suspense>
      <Localized {...props} />
    </Suspense>
  )
}

async function Localized({ children }: LayoutProps<'/'>) {
  return (
    <html lang={await getLocale()}>
      <body>
        <NextIntlClientProvider>{children}</NextIntlClientProvider>
      </body>
    </html>
  )
}
`,
    'app/page.tsx': `import { useTranslations } from 'next-intl'

export default function Home() {
  const t = useTranslations('HomePage')
  return <h1>{t('title')}</h1>
}
`,
  },
}
