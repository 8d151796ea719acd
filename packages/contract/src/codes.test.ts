import { describe, expect, it } from 'vitest'
import * as codes from './codes.ts'

describe.each(Object.entries(codes))('%s', (name, values: Readonly<Record<string, number>>) => {
  it('numbers the meanings without gaps', () => {
    // A schema is an entity or nested; there is no None.
    const meanings = name === 'SchemaType' ? ['None', ...Object.keys(values)] : Object.keys(values)
    expect(meanings[0]).toBe(name === 'AccessLevel' ? 'Inherited' : 'None')
    for (const [meaning, code] of Object.entries(values)) expect(meanings[code]).toBe(meaning)
  })
})

it('keeps the numbers of deployed instances', () => {
  expect(codes).toMatchInlineSnapshot(`
    {
      "AccessLevel": {
        "Custom": 3,
        "Inherited": 0,
        "Public": 2,
        "User": 1,
      },
      "CreatedFrom": {
        "Cloud": 1,
        "None": 0,
        "Portal": 3,
        "Signup": 2,
      },
      "LogInType": {
        "AuthorizationCode": 3,
        "None": 0,
        "Password": 1,
        "SSO": 2,
      },
      "PermissionType": {
        "DataProtection": 3,
        "Endpoint": 1,
        "FrontendAction": 2,
        "None": 0,
      },
      "SchemaType": {
        "Entity": 1,
        "Nested": 2,
      },
      "StorageModule": {
        "AI_Cloud": 4,
        "AI_Construct": 9,
        "Cloud": 1,
        "Construct": 2,
        "DataGateway": 11,
        "Default_Cloud": 3,
        "Default_Construct": 8,
        "LMT": 7,
        "Localization": 6,
        "None": 0,
        "OS_Cloud": 5,
        "OS_Construct": 10,
      },
      "UserCreationType": {
        "Api": 2,
        "None": 0,
        "Portal": 1,
        "Service": 3,
        "Social": 4,
        "ThirdParty": 5,
      },
      "UserMfaType": {
        "Email": 2,
        "None": 0,
        "Sms": 3,
        "TOTP": 1,
        "WhatsApp": 4,
      },
      "UserPassType": {
        "None": 0,
        "Password": 1,
        "Pin": 2,
      },
      "VerifiedType": {
        "Email": 1,
        "None": 0,
        "Sms": 2,
        "WhatsApp": 3,
      },
    }
  `)
})
