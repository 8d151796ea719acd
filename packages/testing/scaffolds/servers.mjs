import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../workspace/lib/root.mjs'

/**
 * Page `/about` of the scaffolds whose frameworks render on a server, and the command that serves
 * their build. Nothing here handles the language of a request: `init` does that.
 *
 * @typedef {object} Application
 * @property {string} start command that serves the build, on `PORT` if it is read
 * @property {Readonly<Record<string, string>>} files
 * @property {boolean} [loadsDocuments] links load another document
 * @property {boolean} [rendersInBrowser] responses have no text
 */

/** Shows a language in a `select`, in the syntax of React. */
const options = `{languages.map((code) => (
          <option key={code} value={code}>{languageName(code)}</option>
        ))}`

/** @satisfies {Readonly<Record<string, Application>>} */
export const servers = {
  next: {
    start: 'npm start',
    files: {
      'app/language-select.tsx': readFileSync(
        join(root, 'fixtures/apps/next/components/language-select.tsx'),
        'utf8',
      ),
      'app/about/page.tsx': `import Link from 'next/link'
import { ABOUT_HEADING } from '~uilm/catalog'
import { LanguageSelect } from '../language-select'

export default function About() {
  return (
    <main>
      <h1>{ABOUT_HEADING()}</h1>
      <LanguageSelect />
      <Link href="/">/</Link>
    </main>
  )
}
`,
    },
  },
  sveltekit: {
    start: 'npm run preview',
    files: {
      'src/routes/about/+page.svelte': `<script lang="ts">
  import { languageName, languages } from '~uilm'
  import { ABOUT_HEADING } from '~uilm/catalog'
  import { language } from '~uilm/svelte'
</script>

<h1>{ABOUT_HEADING()}</h1>
<select bind:value={language.current}>
  {#each languages as code (code)}
    <option value={code}>{languageName(code)}</option>
  {/each}
</select>
<a href="/">/</a>
`,
    },
  },
  nuxt: {
    start: 'node .output/server/index.mjs',
    files: {
      'app/pages/about.vue': `<script setup lang="ts">
import { languageName, languages } from '~uilm'
import { ABOUT_HEADING } from '~uilm/catalog'
import { useLanguage } from '~uilm/vue'

const language = useLanguage()
</script>

<template>
  <main>
    <h1>{{ ABOUT_HEADING() }}</h1>
    <select v-model="language">
      <option v-for="code in languages" :key="code" :value="code">{{ languageName(code) }}</option>
    </select>
    <NuxtLink to="/">/</NuxtLink>
  </main>
</template>
`,
    },
  },
  astro: {
    start: 'node dist/server/entry.mjs',
    loadsDocuments: true,
    files: {
      'src/pages/about.astro': `---
import { getLanguage, languageName, languages } from '~uilm'
import { ABOUT_HEADING } from '~uilm/catalog'
---

<html lang="en">
  <head>
    <meta charset="utf-8" />
    <link rel="icon" href="data:," />
    <title>Astro</title>
  </head>
  <body>
    <h1>{ABOUT_HEADING()}</h1>
    <select>
      {
        languages.map((code) => (
          <option value={code} selected={code === getLanguage()}>
            {languageName(code)}
          </option>
        ))
      }
    </select>
    <a href="/">/</a>
    <script>
      import { setLanguage } from '~uilm'

      const select = document.querySelector('select')!
      select.addEventListener('change', async () => {
        await setLanguage(select.value as never)
        location.reload()
      })
    </script>
  </body>
</html>
`,
    },
  },
  reactRouter: {
    start: 'npx react-router-serve build/server/index.js',
    files: {
      'app/routes.ts': `import { type RouteConfig, index, route } from "@react-router/dev/routes";

export default [index("routes/home.tsx"), route("about", "routes/about.tsx")] satisfies RouteConfig;
`,
      'app/routes/about.tsx': `import { Link } from 'react-router'
import { type Language, languageName, languages } from '~uilm'
import { ABOUT_HEADING } from '~uilm/catalog'
import { useLanguage } from '~uilm/react'

export default function About() {
  const [language, setLanguage] = useLanguage()
  return (
    <main>
      <h1>{ABOUT_HEADING()}</h1>
      <select value={language} onChange={(event) => void setLanguage(event.target.value as Language)}>
        ${options}
      </select>
      <Link to="/">/</Link>
    </main>
  )
}
`,
    },
  },
  solidStart: {
    start: 'node .output/server/index.mjs',
    files: {
      'src/routes/about.tsx': `import { A } from '@solidjs/router'
import { For } from 'solid-js'
import { type Language, languageName, languages } from '~uilm'
import { ABOUT_HEADING } from '~uilm/catalog'
import { useLanguage } from '~uilm/solid'

export default function About() {
  const [language, setLanguage] = useLanguage()
  return (
    <main>
      <h1>{ABOUT_HEADING()}</h1>
      <select
        value={language()}
        onChange={(event) => void setLanguage(event.currentTarget.value as Language)}
      >
        <For each={languages}>
          {(code) => (
            <option value={code} selected={code === language()}>
              {languageName(code)}
            </option>
          )}
        </For>
      </select>
      <A href="/">/</A>
    </main>
  )
}
`,
    },
  },
}
