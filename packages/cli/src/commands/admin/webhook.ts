import { ConfigError, OperationError } from '@servicekit/client'
import { type Action, nameOf, readSecret, textOf } from './action.ts'

interface Webhook {
  readonly url: string
  readonly isDisabled: boolean
  readonly headerKey: string | null
}

/** Describes a webhook without its secrets. */
const shown = ({ url, isDisabled, headerKey }: Webhook) => ({
  value: { url, isDisabled, headerKey },
  lines: [
    `${url} (${isDisabled ? 'disabled' : 'enabled'}${headerKey ? `, secret in ${headerKey}` : ''})`,
  ],
})

const showWebhook: Action = async ({ send, project }) => {
  const response = await send(`${await project()}/webhook`)
  const webhook = (await response.json()) as Webhook | null
  return webhook ? shown(webhook) : { value: null, lines: ['There is no webhook'] }
}

const setWebhook: Action = async (call) => {
  const [file, headerKey] = [textOf(call, 'secret-file'), textOf(call, 'header-key')]
  if ((file === undefined) !== (headerKey === undefined)) {
    throw new ConfigError('--secret-file and --header-key must be used together')
  }
  const path = await call.project()
  const webhook = { url: nameOf(call, 'URL'), isDisabled: call.flags['disabled'] === true }
  const response = await call.send(`${path}/webhook`, 'PUT', {
    ...webhook,
    contentType: 'application/json',
    projectKey: decodeURIComponent(path.slice('/projects/'.length)),
    ...(file !== undefined && {
      serviceWebhookSecret: { secret: await readSecret(file), headerKey },
    }),
  })
  const { success, errorMessage } = (await response.json()) as {
    readonly success: boolean
    readonly errorMessage?: string | null
  }
  if (success) return shown({ ...webhook, headerKey: headerKey ?? null })
  throw new OperationError(`The platform refused the webhook. ${errorMessage ?? ''}`.trim(), {
    status: response.status,
    body: undefined,
  })
}

export const webhookActions = { show: showWebhook, set: setWebhook } satisfies Record<
  string,
  Action
>
