import { expect, it } from 'vitest'
import { nextPosition } from './next-position.ts'

const move = (key: string, options: { ctrlKey?: boolean; isRightToLeft?: boolean } = {}) => {
  const { ctrlKey = false, isRightToLeft = false } = options
  const next = nextPosition(
    { row: 3, column: 1 },
    { key, ctrlKey },
    { rows: 8, columns: 3 },
    isRightToLeft,
  )
  return next && [next.row, next.column]
}

it('moves within the grid', () => {
  expect(move('ArrowDown')).toEqual([4, 1])
  expect(move('ArrowRight')).toEqual([3, 2])
  expect(move('PageDown')).toEqual([7, 1])
  expect(move('PageUp')).toEqual([0, 1])
  expect(move('Home')).toEqual([3, 0])
  expect(move('End', { ctrlKey: true })).toEqual([7, 2])
  expect(move('Enter')).toBeUndefined()
})

it('moves to the column on that side from right to left', () => {
  expect(move('ArrowRight', { isRightToLeft: true })).toEqual([3, 0])
  expect(move('ArrowLeft', { isRightToLeft: true })).toEqual([3, 2])
})
