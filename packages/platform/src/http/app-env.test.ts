import { objectsPath, signPath } from '@servicekit/core/node'
import { expect, it } from 'vitest'
import { isControlPath, isObjectPath } from './app-env.ts'

it('takes the paths of signed URLs for no control paths', () => {
  const request = { projectKey: 'P1', itemId: '7', name: 'a b/c', expires: 1, limit: 0 }
  const path = signPath({ ...request, method: 'GET' }, 'key')
  expect([isObjectPath(path), isControlPath(path)]).toEqual([true, false])
})

it.each([objectsPath, `${objectsPath}-other/a`])('takes %s for a control path', (path) => {
  expect([isObjectPath(path), isControlPath(path)]).toEqual([false, true])
})
