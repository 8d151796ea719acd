import { ConfigError, OperationError } from '@servicekit/client'
import type { ControlResult } from '@servicekit/client/control'
import { type Action, nameOf, readSecret, textOf } from './action.ts'

type Webhook = Pick<
  NonNullable<ControlResult<'GET /projects/{project}/webhook'>>,
  'url' | 'isDisabled' | 'headerKey'
>

/** Describes a webhook without its secrets. */
const shown = ({ url, isDisabled, headerKey }: Webhook) => ({
  value: { url, isDisabled, headerKey },
  lines: [
    `${url} (${isDisabled ? 'disabled' : 'enabled'}${headerKey ? `, secret in ${headerKey}` : ''})`,
  ],
})

const showWebhook: Action = async ({ control, path }) => {
  const webhook = await control.send('GET /projects/{project}/webhook', { path: await path() })
  return webhook ? shown(webhook) : { value: null, lines: ['There is no webhook'] }
}

const setWebhook: Action = async (call) => {
  const [file, headerKey] = [textOf(call, 'secret-file'), textOf(call, 'header-key')]
  if ((file === undefined) !== (headerKey === undefined)) {
    throw new ConfigError('--secret-file and --header-key must be used together')
  }
  const path = await call.path()
  const webhook = { url: nameOf(call, 'URL'), isDisabled: call.flags['disabled'] === true }
  const saved = await call.control.send('PUT /projects/{project}/webhook', {
    path,
    body: {
      ...webhook,
      contentType: 'application/json',
      projectKey: path.project,
      ...(file !== undefined && {
        serviceWebhookSecret: { secret: await readSecret(file), headerKey },
      }),
    },
  })
  const { success, errorMessage } = saved
  if (success) return shown({ ...webhook, headerKey: headerKey ?? null })
  throw new OperationError(`The platform refused the webhook. ${errorMessage ?? ''}`.trim(), {
    status: 200,
    body: undefined,
  })
}

export const webhookActions = { show: showWebhook, set: setWebhook } satisfies Record<
  string,
  Action
>
