import { expect, it } from 'vitest'
import { nodeProblem } from './install.mjs'

it.each(['20.19.0', '20.20.2', '22.12.0', '22.20.1', '23.0.0', '24.3.0', '26.0.0'])(
  'runs on Node %s',
  (version) => {
    expect(nodeProblem(version)).toBeUndefined()
  },
)

it.each(['18.20.8', '20.18.3', '21.7.3', '22.11.0'])('does not run on Node %s', (version) => {
  expect(nodeProblem(version)).toContain(`Node ${version}`)
  expect(nodeProblem(version)).toContain('22.12')
})
