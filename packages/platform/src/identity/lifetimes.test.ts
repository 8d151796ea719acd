import { describe, expect, it } from 'vitest'
import { lifetimes, refreshLifetime } from './lifetimes.ts'

describe('a refresh token', () => {
  it.each([
    [0, lifetimes.idle],
    [lifetimes.absolute - lifetimes.idle, lifetimes.idle],
    [lifetimes.absolute - 60, 60],
    [lifetimes.absolute, 1],
    [lifetimes.absolute + 60, 1],
  ])('of a session that is %i s old expires after %i s', (age, expected) => {
    expect(refreshLifetime(age)).toBe(expected)
  })
})
