import { bindClient, type Client, createCore, fieldErrors } from '@servicekit/client'
import { password } from '../sample.ts'
import { all, type Check, fails, has } from './checks.ts'
import { signedIn } from './sign-in.ts'
import type { World } from './world.ts'

export function userChecks(world: World): readonly Check[] {
  let ada: Client
  let job: Client
  const codeFor = async (recipient: string): Promise<string> =>
    (await world.ask<{ code: string }>('read-mail', { recipient })).code
  return [
    [
      'organizations, roles and permissions are listed page by page',
      async () => {
        ada = await signedIn(world, 'ada')
        const { itemId } = await ada.iam.createOrganization({ name: 'Acme' })
        const organizations = await all(ada.iam.listOrganizations({ pageSize: 1 }))
        has(
          organizations.some((one) => one.itemId === itemId),
          true,
        )
        const second = await ada.iam.listOrganizations({ pageSize: 1 }).page(2)
        has(second, { items: [{}], total: organizations.length, page: 2 })
        const roles = await all(ada.iam.listRoles({ pageSize: 1 }))
        has(roles.length, (await ada.iam.listRoles().page()).total)
        const permissions = await all(ada.iam.listPermissions({ roles: ['admin'] }))
        has(
          permissions.some(({ name }) => name === 'orders.read'),
          true,
        )
      },
    ],
    [
      'a user is invited, activated, changed and deactivated',
      async () => {
        const { itemId = '' } = await ada.iam.createUser({
          email: 'bob@example.com',
          userName: 'bob',
        })
        const code = await codeFor('bob@example.com')
        has(await ada.auth.activate({ code, password }), { isSuccess: true })
        await ada.iam.setAccess({ userId: itemId, roles: ['member'], permissions: [] })
        const bob = { email: 'bob@example.com', active: true, isVerified: true, roles: ['member'] }
        has(await ada.iam.getUser({ userId: itemId }), bob)
        has(await all(ada.iam.listUsers({ filter: { userIds: [itemId] } })), [{ itemId }])
        await ada.iam.deactivateUser(itemId)
        has(await ada.iam.getUser({ userId: itemId }), { active: false })
      },
    ],
    [
      'a machine makes, finds, changes and activates users',
      async () => {
        const core = await world.means.machine(world.options(), world)
        job = bindClient(world.noted(core))
        const kim = { email: 'kim@example.com', userName: 'kim', password }
        const made = await job.idp.createUser(kim)
        has(made, { email: kim.email, active: true, isVerified: false })
        await job.idp.updateUser({ itemId: made.itemId, firstName: 'Kim' })
        has(await job.idp.getUser(made.itemId), { firstName: 'Kim' })
        has(await job.idp.getUser('nobody'), undefined)
        const filter = { email: kim.email }
        has(await all(job.idp.listUsers({ filter })), [{ itemId: made.itemId }])
        has(await all(job.idp.listAccounts({ filter })), [{ userName: 'kim' }])
        await ada.iam.createUser({ email: 'zoe@example.com', userName: 'zoe' })
        const code = await codeFor('zoe@example.com')
        has(await job.idp.activate({ code, password }), { active: true })
      },
    ],
    [
      'the caller is returned, with permissions',
      async () => {
        const { user, permissions } = await ada.idp.getAccount()
        has(user, { email: 'ada@example.com' })
        has(
          permissions.some(({ name }) => name === 'orders.read'),
          true,
        )
      },
    ],
    [
      'what cannot be is refused, field by field',
      async () => {
        const again = { email: 'kim@example.com', userName: 'kim', password }
        const error = await job.idp.createUser(again).catch((cause: unknown) => cause)
        has(error instanceof Error, true)
        has(Object.keys(fieldErrors(error)).length > 0, true)
        has(JSON.stringify(error).includes(password), false)
      },
    ],
    [
      'a webhook is saved and disabled with a token, and not without',
      async () => {
        const secret = { value: 'canary-of-the-hook', headerKey: 'x-hook' }
        const webhook = { url: 'https://app.test/hook', secret }
        has(await job.webhooks.save(webhook), { success: true })
        const kept = { ...webhook, itemId: crypto.randomUUID() }
        await job.webhooks.disable(kept).catch(() => undefined)
        const { webhooks } = bindClient(createCore(world.options()))
        await fails(webhooks.save(webhook), { status: 401 })
      },
    ],
    [
      'tools are opened, described and counted',
      async () => {
        has(await job.tools.initiateOauth('mail'), {
          toolId: 'mail',
          clientId: 'tool',
          scopes: ['a', 'b'],
          codeChallengeMethod: 'S256',
        })
        await fails(job.tools.initiateOauth('plain'), { status: 400 })
        await fails(job.tools.initiateOauth('none'), { status: 404 })
        has(await job.tools.saveTutorial('plain', { tutorial: '# Hi' }), { itemId: 'plain' })
        has(await job.tools.countAgents('plain'), 1)
      },
    ],
    [
      'questions are answered in bulk, with a report',
      async () => {
        const { agentId } = await world.ask<{ agentId: string }>('agent-id')
        await job.knowledge.add({ agentId, question: 'What?', answer: 'That.' })
        const pairs = ['Who?', '', 'Why?'].map((question) => ({ agentId, question, answer: 'So.' }))
        const { added, failed } = await job.knowledge.addAll(pairs, { concurrency: 2 })
        has([added, failed.map(({ index }) => index)], [2, [1]])
        has(Object.keys(fieldErrors(failed[0]?.error)), ['question'])
      },
    ],
  ]
}
