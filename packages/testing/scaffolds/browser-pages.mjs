/**
 * Pages of the scaffolds that render in the browser only. `/about` shows ABOUT_HEADING and a select
 * with the languages, every other address the example. Links load documents: these scaffolds have no
 * router. Nothing here detects, stores or loads a language.
 */

/** @typedef {import('./servers.mjs').Application} Application */

/** @param {Readonly<Record<string, string>>} files @returns {Application} */
const vite = (files) => ({
  start: 'npm run preview',
  rendersInBrowser: true,
  loadsDocuments: true,
  files,
})

/** @satisfies {Readonly<Record<string, Application>>} */
export const browserPages = {
  react: vite({
    'src/App.tsx': `import { type Language, languageName, languages } from '~uilm'
import { ABOUT_HEADING } from '~uilm/catalog'
import { useLanguage } from '~uilm/react'
import { ServicekitExample } from './ServicekitExample'

function About() {
  const [language, setLanguage] = useLanguage()
  return (
    <main>
      <h1>{ABOUT_HEADING()}</h1>
      <select value={language} onChange={(event) => void setLanguage(event.target.value as Language)}>
        {languages.map((code) => (
          <option key={code} value={code}>{languageName(code)}</option>
        ))}
      </select>
      <a href="/">/</a>
    </main>
  )
}

export default function App() {
  return location.pathname === '/about' ? <About /> : <ServicekitExample />
}
`,
  }),
  vue: vite({
    'src/App.vue': `<script setup lang="ts">
import { languageName, languages } from '~uilm'
import { ABOUT_HEADING } from '~uilm/catalog'
import { useLanguage } from '~uilm/vue'
import ServicekitExample from './ServicekitExample.vue'

const language = useLanguage()
const isAbout = location.pathname === '/about'
</script>

<template>
  <main v-if="isAbout">
    <h1>{{ ABOUT_HEADING() }}</h1>
    <select v-model="language">
      <option v-for="code in languages" :key="code" :value="code">{{ languageName(code) }}</option>
    </select>
    <a href="/">/</a>
  </main>
  <ServicekitExample v-else />
</template>
`,
  }),
  svelte: vite({
    'src/App.svelte': `<script lang="ts">
  import { languageName, languages } from '~uilm'
  import { ABOUT_HEADING } from '~uilm/catalog'
  import { language } from '~uilm/svelte'
  import ServicekitExample from './ServicekitExample.svelte'
</script>

{#if location.pathname === '/about'}
  <h1>{ABOUT_HEADING()}</h1>
  <select bind:value={language.current}>
    {#each languages as code (code)}
      <option value={code}>{languageName(code)}</option>
    {/each}
  </select>
  <a href="/">/</a>
{:else}
  <ServicekitExample />
{/if}
`,
  }),
  solid: vite({
    'src/App.tsx': `import { For, Show } from 'solid-js'
import { type Language, languageName, languages } from '~uilm'
import { ABOUT_HEADING } from '~uilm/catalog'
import { useLanguage } from '~uilm/solid'
import { ServicekitExample } from './ServicekitExample'

function About() {
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
      <a href="/">/</a>
    </main>
  )
}

export default function App() {
  return (
    <Show when={location.pathname === '/about'} fallback={<ServicekitExample />}>
      <About />
    </Show>
  )
}
`,
  }),
}
