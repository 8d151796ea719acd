import { storageMembers } from '@servicekit/platform'
import type { ConfigProblem } from './read-values.ts'
import { settingsList } from './list-settings.ts'
import type { Settings } from './settings.ts'

/** Explains where a setting can be set: `Set SERVICEKIT_PORT, --port or port in the config file.` */
export function sourcesOf(name: string): string {
  const { variable, flag, isSecret } = settingsList.find((one) => one.name === name)!
  const file = isSecret ? `${variable}_FILE, ` : ''
  return `Set ${variable}, ${file}--${flag}, or ${name} in the config file.`
}

const missing = (name: string, why: string, instead = ''): ConfigProblem => ({
  name,
  message: `is missing${why}. ${sourcesOf(name)}${instead}`,
})

/** Returns the problems of settings that are valid one by one, but not together. */
export function checkSettings(settings: Settings): readonly ConfigProblem[] {
  return [
    ...checkPublicUrl(settings),
    ...checkDatabase(settings),
    ...checkControlToken(settings),
    ...checkStorage(settings),
    ...checkMail(settings),
    ...checkSuggestions(settings),
    ...checkPorts(settings),
  ]
}

function* checkPublicUrl({ publicUrl, allow, cookieSameSite }: Settings): Generator<ConfigProblem> {
  if (publicUrl === undefined) return void (yield missing('publicUrl', ''))
  if (publicUrl.startsWith('https:')) return
  if (!allow.includes('http')) {
    const message =
      'must be https, because browsers send cookies over http unencrypted. Put a proxy with TLS in front, or allow http with --allow http.'
    yield { name: 'publicUrl', message }
  }
  if (cookieSameSite === 'none') {
    const message = 'cannot be none with an http publicUrl: browsers reject such cookies.'
    yield { name: 'cookieSameSite', message }
  }
}

function* checkDatabase({
  databaseUrl,
  replicaUrl,
  dataDir,
  secret,
  allow,
}: Settings): Generator<ConfigProblem> {
  if (databaseUrl !== undefined) {
    if (dataDir !== undefined) {
      const message = 'cannot be used together with databaseUrl: data is stored in one place.'
      yield { name: 'dataDir', message }
    }
    if (secret === undefined) {
      const create = ' `openssl rand -base64 32` creates one.'
      yield missing('secret', ', which databaseUrl requires', create)
    }
    return
  }
  if (replicaUrl !== undefined) yield missing('databaseUrl', ', which replicaUrl requires')
  if (!allow.includes('embedded-database')) {
    const instead =
      ' For a single instance, --allow embedded-database with --data-dir DIR uses an embedded database.'
    return void (yield missing('databaseUrl', '', instead))
  }
  if (dataDir === undefined) yield missing('dataDir', ', which the embedded database requires')
}

function* checkControlToken({ secret, controlToken }: Settings): Generator<ConfigProblem> {
  if (secret === undefined || controlToken !== secret) return
  const message = 'is the same as secret. Choose another one: operators send it with each request.'
  yield { name: 'controlToken', message }
}

function* checkStorage({ storage, databaseUrl, allow }: Settings): Generator<ConfigProblem> {
  const { strategy } = storage
  if (strategy === undefined) {
    const instead =
      ' For a single machine, --allow local-files with --storage-strategy Local stores files in a folder.'
    return void (yield missing('storage.strategy', '', instead))
  }
  if (strategy === 'Local') {
    if (!allow.includes('local-files')) {
      const message =
        'cannot be Local, because other instances cannot read the files of this machine. Use Amazon, S3Compatible or Azure, or allow it with --allow local-files.'
      yield { name: 'storage.strategy', message }
    }
    if (databaseUrl !== undefined && storage.folder === undefined) {
      yield missing('storage.folder', ', which Local storage beside PostgreSQL requires')
    }
  }
  for (const { name, strategies } of storageMembers()) {
    if (strategies.get(strategy) && storage[name] === undefined) {
      yield missing(`storage.${name}`, `, which storage.strategy ${strategy} requires`)
    }
  }
}

function* checkMail({ mail }: Settings): Generator<ConfigProblem> {
  const { host, from, user, password } = mail
  if (host !== undefined && from === undefined) {
    yield missing('mail.from', ', which mail.host requires')
  }
  if (host === undefined && from !== undefined) {
    yield missing('mail.host', ', which mail.from requires')
  }
  if (user !== undefined && password === undefined) {
    yield missing('mail.password', ', which mail.user requires')
  }
}

function* checkSuggestions({ suggestions }: Settings): Generator<ConfigProblem> {
  const { provider, baseUrl, model } = suggestions
  if (provider === 'memory') return
  const why = `, which suggestions.provider ${provider} requires`
  if (baseUrl === undefined) yield missing('suggestions.baseUrl', why)
  if (provider === 'openai' && model === undefined) yield missing('suggestions.model', why)
}

function* checkPorts({ port, metrics }: Settings): Generator<ConfigProblem> {
  if (port === 0 || metrics.port !== port) return
  const message = `is the same as port (${port}). Choose another one, because metrics are not public.`
  yield { name: 'metrics.port', message }
}
