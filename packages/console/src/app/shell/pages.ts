import type { Component } from 'svelte'
import {
  NAV_DATA,
  NAV_FILES,
  NAV_INBOX,
  NAV_OVERVIEW,
  NAV_PEOPLE,
  NAV_TASKS,
  NAV_TOOLS,
  NAV_TRANSLATIONS,
  NAV_WEBHOOKS,
  NAV_WORKBENCH,
} from '~uilm/shell'

export interface Page {
  readonly name: () => string
  /** Shown only on the machine that runs `servicekit dev`. */
  readonly isLocal?: boolean
  /** Loads the page when it is opened. */
  readonly load: () => Promise<{ readonly default: Component }>
}

/** Pages by the first segment of their path, in the order of the navigation. */
export const pages: ReadonlyMap<string, Page> = new Map<string, Page>([
  ['', { name: NAV_OVERVIEW, load: () => import('../overview/overview-page.svelte') }],
  [
    'translations',
    { name: NAV_TRANSLATIONS, load: () => import('../translations/translations-page.svelte') },
  ],
  ['tasks', { name: NAV_TASKS, load: () => import('../tasks/tasks-page.svelte') }],
  ['data', { name: NAV_DATA, load: () => import('../data/data-page.svelte') }],
  ['people', { name: NAV_PEOPLE, load: () => import('../people/people-page.svelte') }],
  ['files', { name: NAV_FILES, load: () => import('../files/files-page.svelte') }],
  ['webhooks', { name: NAV_WEBHOOKS, load: () => import('../webhooks/webhooks-page.svelte') }],
  ['tools', { name: NAV_TOOLS, load: () => import('../tools/tools-page.svelte') }],
  ['inbox', { name: NAV_INBOX, isLocal: true, load: () => import('../inbox/inbox-page.svelte') }],
  [
    'workbench',
    {
      name: NAV_WORKBENCH,
      isLocal: true,
      load: () => import('../workbench/workbench-page.svelte'),
    },
  ],
])
