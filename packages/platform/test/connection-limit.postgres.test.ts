import { onPostgres } from '@servicekit/testing/engines'
import { get, project } from '@servicekit/testing/projects'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { createPlatform } from '../src/index.ts'

onPostgres((engine) => {
  it('waits for a connection that it has when the server accepts no more of them', async () => {
    const { databaseUrl } = await engine.location()
    const url = new URL(databaseUrl!)
    const owner = `limited_${crypto.randomUUID().slice(0, 8)}`
    const administrator = new Client(databaseUrl)
    await administrator.connect()
    await administrator.query(`
      create role ${owner} login createrole password 'password' connection limit 3;
      alter database "${url.pathname.slice(1)}" owner to ${owner};`)
    await administrator.end()
    url.username = owner
    url.password = 'password'
    const errors: string[] = []
    await using platform = await createPlatform({
      databaseUrl: url.href,
      projects: [project('P', { en: { m: { A: 'a' } } })],
      onError: ({ message }) => errors.push(message),
    })
    const read = async () => {
      const path = '/localization/v4/Language/Gets'
      return (await get(platform, path, { ProjectKey: 'P' }, { key: 'P' })).status
    }
    const statuses = await Promise.all(Array.from({ length: 50 }, read))
    expect(statuses).toEqual(Array.from({ length: 50 }, () => 200))
    expect(errors).toEqual([])
  })
})
