import { describe, expect, it } from 'vitest'
import { findBrowser, isBrowserMissing } from './find-browser.mjs'

/**
 * @param {NodeJS.Platform} platform
 * @param {readonly string[]} programs installed programs
 * @param {Record<string, string>} [env]
 * @returns {import('./find-browser.mjs').Machine}
 */
const machine = (platform, programs, env = {}) => ({
  platform,
  env: { PATH: '/usr/local/bin:/usr/bin', ...env },
  home: '/somewhere',
  isProgram: (path) => programs.includes(path),
})

describe('findBrowser', () => {
  it('looks along PATH on Linux and prefers Chromium', () => {
    expect(findBrowser(machine('linux', ['/usr/bin/google-chrome']))).toBe('/usr/bin/google-chrome')
    const both = ['/usr/local/bin/microsoft-edge', '/usr/bin/chromium']
    expect(findBrowser(machine('linux', both))).toBe('/usr/bin/chromium')
  })

  it("looks into both folders of applications on macOS, the user's too", () => {
    const edge = '/somewhere/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'
    expect(findBrowser(machine('darwin', [edge]))).toBe(edge)
  })

  it('takes the one that CHROME_PATH names', () => {
    const programs = ['/usr/bin/chromium', '/opt/canary']
    expect(findBrowser(machine('linux', programs, { CHROME_PATH: '/opt/canary' }))).toBe(
      '/opt/canary',
    )
  })

  it('reports an invalid CHROME_PATH instead of using another browser', () => {
    const wrong = machine('linux', ['/usr/bin/chromium'], { CHROME_PATH: '/opt/gone' })
    expect(() => findBrowser(wrong)).toThrow('CHROME_PATH names no program: /opt/gone')
  })

  it('finds none where there is none', () => {
    expect(findBrowser(machine('linux', []))).toBeUndefined()
    expect(findBrowser(machine('win32', []))).toBeUndefined()
  })
})

describe('isBrowserMissing', () => {
  it('skips tests on a machine without one, but never in CI', () => {
    expect(isBrowserMissing(machine('linux', ['/usr/bin/chromium']))).toBe(false)
    expect(isBrowserMissing(machine('linux', []))).toBe(true)
    expect(() => isBrowserMissing(machine('linux', [], { CI: 'true' }))).toThrow('no browser')
  })
})
