import { createPlatform } from '@servicekit/platform'
import { password, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { expect, it, onTestFinished } from 'vitest'
import { eventLoopCpuMs, median } from '@servicekit/testing/event-loop-cpu'

const key = 'P'
const ids = Array.from({ length: 400 }, (_, index) => `org-${index}`)
const memberships = ids.map((organizationId) => ({
  organizationId,
  roles: ['admin'],
  permissions: [],
}))

const definition = project(
  key,
  { en: { m: { A: 'a' } } },
  {
    identity: {
      clients: [{ clientId: 'web', redirectUris: ['https://app.example/callback'] }],
      roles: [{ slug: 'admin', ancestorRoleSlugs: ['member'] }, { slug: 'member' }],
      organizations: ids.map((itemId) => ({ itemId, name: itemId })),
      users: [
        { email: 'ada@example.com', password, roles: ['admin'] },
        { email: 'member@example.com', password, memberships },
      ],
    },
  },
)

it('authenticates in time proportional to the organizations of a user', async () => {
  // The embedded database spends its processor time in this process.
  const platform = await createPlatform({ projects: [definition] })
  onTestFinished(() => platform.close())
  const measure = async (name: string): Promise<() => Promise<number>> => {
    const { browser } = await signIn(platform, key, `${name}@example.com`)
    return async () => {
      const before = eventLoopCpuMs()
      const path = '/iam/v4/iam/organizations?Page=0&PageSize=1'
      const response = await browser.send(path, { headers: { 'x-service-key': key } })
      expect(response.status).toBe(200)
      await response.text()
      return eventLoopCpuMs() - before
    }
  }
  const [alone, member] = [await measure('ada'), await measure('member')]
  const costs: { readonly alone: number; readonly member: number }[] = []
  for (let run = 0; run < 11; run++) costs.push({ alone: await alone(), member: await member() })
  const ratio = median(costs.map((one) => one.member)) / median(costs.map((one) => one.alone))
  // About 2 if each membership is read once, 9 if each is joined with every other.
  expect(ratio).toBeLessThan(5)
})
