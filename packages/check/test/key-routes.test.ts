import { application } from '@servicekit/testing/application'
import { keyRoutes, routeFiles } from '@servicekit/testing/key-routes'
import { expect, it } from 'vitest'
import { check, finish } from '../src/index.ts'

const texts = { 'en-US/cart': { CHECKOUT: 'Checkout', ITEMS: 'Your items' } }

async function unknownIn(route: string, name: string): Promise<readonly unknown[]> {
  const { project } = await application(texts, routeFiles(route, name))
  await project.writeTypes(await project.load())
  const { findings } = await finish(check({ project }))
  return findings
    .filter(({ rule }) => rule === 'unknown')
    .map(({ module, message }) => [module, message])
}

const isSeen = ([, { isUnchecked = false }]: (typeof keyRoutes)[number]) => !isUnchecked
const namesOf = (routes: typeof keyRoutes) => routes.map(([route]) => route)

it.each(namesOf(keyRoutes.filter(isSeen)))('reports an unknown key in %s', async (route) => {
  expect(await unknownIn(route, 'CHEKOUT')).toEqual([
    ['cart', expect.stringContaining('key CHEKOUT does not exist in cart')],
  ])
  expect(await unknownIn(route, 'CHECKOUT')).toEqual([])
})

it.each(namesOf(keyRoutes.filter((route) => !isSeen(route))))(
  'leaves an unknown key in %s to the build or to TypeScript',
  async (route) => expect(await unknownIn(route, 'CHEKOUT')).toEqual([]),
)
