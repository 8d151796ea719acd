import { expect, it } from 'vitest'
import { nextCell, nextPosition } from './next-position.ts'

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

it('finds the next cell that fulfils a condition, line by line and around', () => {
  const missing = new Set(['0,2', '2,1'])
  const next = (row: number, column: number) =>
    nextCell({ row, column }, { rows: 3, columns: 3 }, (one) =>
      missing.has(`${one.row},${one.column}`),
    )
  expect(next(0, 0)).toEqual({ row: 0, column: 2 })
  expect(next(0, 2)).toEqual({ row: 2, column: 1 })
  expect(next(2, 1)).toEqual({ row: 0, column: 2 })
  expect(nextCell({ row: 0, column: 0 }, { rows: 3, columns: 3 }, () => false)).toBeUndefined()
})
