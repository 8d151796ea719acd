import { settingsTable } from '@servicekit/server'

/** Returns the page of the settings of `servicekit serve`, from their declaration. */
export const serverPage = () =>
  `${[
    '# Server settings',
    'Generated from the declaration of the settings. [Running a server](../operations/serve.md) explains where they come from. Lists are separated by commas in variables and flags.',
    settingsTable(),
  ].join('\n\n')}\n`
