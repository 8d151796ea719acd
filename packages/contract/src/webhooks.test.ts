import { describe, expect, it } from 'vitest'
import { Webhook } from './webhooks.ts'

const parse = (serviceWebhookSecret: { secret?: string; headerKey?: string }) =>
  Webhook.safeParse({
    url: 'https://app.example/hook',
    contentType: 'application/json',
    isDisabled: false,
    projectKey: 'P',
    serviceWebhookSecret,
  }).success

describe('the secret of a webhook', () => {
  it('is a header name and value', () => {
    expect(parse({ headerKey: 'X-Secret', secret: 'a secret, (with) ~marks~' })).toBe(true)
    expect(parse({ headerKey: '', secret: '' })).toBe(true)
  })

  it.each(['a b', 'a:b', 'ä', 'a\n', 'a'.repeat(129)])(
    'rejects the header name %j',
    (headerKey) => {
      expect(parse({ headerKey, secret: 's' })).toBe(false)
    },
  )

  it.each(['a\r\nb: c', 'a\0', ' a', 'a ', '€', 'a'.repeat(1025)])(
    'is not %j, which no header holds as it is',
    (secret) => {
      expect(parse({ headerKey: 'x', secret })).toBe(false)
    },
  )
})
