import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import { browserOn } from '@servicekit/testing/cookie-browser'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, control, origin, people, submitLogin } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

onEachEngine((engine) => {
  describe('a certified client', () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const start = async () => {
      const platform = await engine.open({
        clock: () => new Date(now),
        projects: [project('P'), project('Q')],
      })
      for (const key of ['P', 'Q']) {
        expect((await control(platform, key, 'PUT', '/identity', people)).status).toBe(204)
      }
      return { platform, config: await discover(platform, 'web', client.None()) }
    }
    const discover = (
      platform: Pick<Platform, 'fetch'>,
      clientId: string,
      authentication: client.ClientAuth,
    ) =>
      client.discovery(
        new URL(`${origin}/iam/v4/oidc/projects/P`),
        clientId,
        undefined,
        authentication,
        {
          execute: [client.allowInsecureRequests],
          [client.customFetch]: (url, init) =>
            platform.fetch(new Request(url, init as RequestInit)),
        },
      )
    let started: ReturnType<typeof start> | undefined
    const logIn = async (own?: client.Configuration) => {
      const { platform, config: shared } = await (started ??= start())
      const config = own ?? shared
      const browser = browserOn(platform)
      const verifier = client.randomPKCECodeVerifier()
      const state = client.randomState()
      const nonce = client.randomNonce()
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: appUri,
        scope: 'openid email profile offline_access',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      const { page } = await browser.open(address.href)
      const { left } = await submitLogin(browser, page!, 'ada@example.com')
      const tokens = await client.authorizationCodeGrant(config, left!, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
      })
      return { platform, config, browser, tokens, verifier, left: left! }
    }

    it('signs in with a verified id token and reads the user info', async () => {
      const { config, tokens } = await logIn()
      expect(tokens.claims()).toMatchObject({ sub: 'ada', email: 'ada@example.com', name: 'Ada L' })
      expect(tokens.expires_in).toBe(420)
      const info = await client.fetchUserInfo(config, tokens.access_token, 'ada')
      expect(info.email).toBe('ada@example.com')
    })

    it('gets the same successor for two concurrent refreshes', async () => {
      const { config, tokens } = await logIn()
      const [first, second] = await Promise.all([
        client.refreshTokenGrant(config, tokens.refresh_token!),
        client.refreshTokenGrant(config, tokens.refresh_token!),
      ])
      expect(first.refresh_token).not.toBe(tokens.refresh_token)
      expect(second.refresh_token).toBe(first.refresh_token)
      const next = await client.refreshTokenGrant(config, first.refresh_token!)
      expect(next.refresh_token).not.toBe(first.refresh_token)
    })

    it('loses the whole session when a refresh token is reused later', async () => {
      const { config, tokens } = await logIn()
      const next = await client.refreshTokenGrant(config, tokens.refresh_token!)
      now += 11_000
      const replay = client.refreshTokenGrant(config, tokens.refresh_token!)
      await expect(replay).rejects.toMatchObject({ error: 'invalid_grant' })
      const successor = client.refreshTokenGrant(config, next.refresh_token!)
      await expect(successor).rejects.toMatchObject({ error: 'invalid_grant' })
      await expect(client.fetchUserInfo(config, next.access_token, 'ada')).rejects.toThrow(
        'WWW-Authenticate',
      )
    })

    it('is rejected when a code is used twice, and loses the tokens of the first use', async () => {
      const { config, tokens, verifier, left } = await logIn()
      const again = client.authorizationCodeGrant(config, left, {
        pkceCodeVerifier: verifier,
        expectedState: left.searchParams.get('state')!,
      })
      await expect(again).rejects.toMatchObject({ error: 'invalid_grant' })
      await expect(client.fetchUserInfo(config, tokens.access_token, 'ada')).rejects.toThrow(
        'WWW-Authenticate',
      )
    })

    it('signs out, which invalidates all tokens of the session', async () => {
      const { config, browser, tokens } = await logIn()
      const address = client.buildEndSessionUrl(config, {
        post_logout_redirect_uri: 'https://app.example/',
        id_token_hint: tokens.id_token!,
        state: 'bye',
      })
      const { page } = await browser.open(address.href)
      const form = await page!.text()
      const { left } = await browser.open(/action="([^"]+)"/.exec(form)![1]!, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        body: new URLSearchParams({
          xsrf: /name="xsrf" value="([^"]+)"/.exec(form)![1]!,
          logout: 'yes',
        }).toString(),
      })
      expect(left?.href).toBe('https://app.example/?state=bye')
      const refresh = client.refreshTokenGrant(config, tokens.refresh_token!)
      await expect(refresh).rejects.toMatchObject({ error: 'invalid_grant' })
      await expect(client.fetchUserInfo(config, tokens.access_token, 'ada')).rejects.toThrow(
        'WWW-Authenticate',
      )
    })

    it('gets a token for a machine in the requested organization', async () => {
      const { platform } = await (started ??= start())
      const machine = await discover(
        platform,
        'job',
        client.ClientSecretPost('the secret of the job'),
      )
      const tokens = await client.clientCredentialsGrant(machine, { org_id: 'default' })
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 420 })
      const unknown = client.clientCredentialsGrant(machine, { org_id: 'nowhere' })
      await expect(unknown).rejects.toMatchObject({ error: 'invalid_request' })
      await expect(client.clientCredentialsGrant(machine)).rejects.toMatchObject({
        error: 'invalid_request',
      })
    })

    it('verifies the signature of id tokens while the signing key is rotated', async () => {
      const { platform } = await (started ??= start())
      /** Signs in with a client that knows no key yet, and returns the id of the key. */
      const keyOfSignIn = async () => {
        const config = await discover(platform, 'web', client.None())
        client.enableNonRepudiationChecks(config)
        const { tokens } = await logIn(config)
        const [head = ''] = tokens.id_token!.split('.')
        return (JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }).kid
      }
      const published = async () => {
        const response = await platform.fetch(new Request(`${origin}/iam/v4/oidc/projects/P/jwks`))
        const { keys } = (await response.json()) as { keys: { kid: string }[] }
        for (const key of keys) {
          expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
        }
        return keys.map(({ kid }) => kid)
      }
      const rotate = async (overlapSeconds: number) => {
        const response = await control(platform, 'P', 'POST', '/signing-key/rotate', {
          overlapSeconds,
        })
        const rotated = (await response.json()) as { kid: string; previousKeysUntil: string }
        expect(Date.parse(rotated.previousKeysUntil)).toBe(now + overlapSeconds * 1000)
        return rotated.kid
      }
      const first = await keyOfSignIn()
      const second = await rotate(3600)
      expect(await keyOfSignIn()).toBe(second)
      expect(await published()).toEqual([second, first])
      now += 1_800_000
      // A longer overlap does not extend that of the first key.
      const third = await rotate(7200)
      expect(await published()).toEqual([third, second, first])
      now += 1_800_000
      expect(await published()).toEqual([third, second])
      expect(await keyOfSignIn()).toBe(third)
      const fourth = await rotate(0)
      expect(await published()).toEqual([fourth])
      expect(await keyOfSignIn()).toBe(fourth)
      const invalid = await control(platform, 'P', 'POST', '/signing-key/rotate', {})
      expect(invalid.status).toBe(400)
    })
  })
})
