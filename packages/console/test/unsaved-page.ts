import { type OpenConsole, projectKey } from './open-console.ts'

/** Returns what tests of unsaved changes do on the page of a console. */
export function unsavedPage(console: OpenConsole) {
  const control = async (method: string, path: string, body?: object) => {
    const url = `${console.platform.baseUrl}/_platform/projects/${projectKey}${path}`
    const headers = { 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return (await (await fetch(url, init)).json().catch(() => undefined)) as unknown
  }
  const page = () => console.page
  const button = (name: string) => page().getByRole('button', { name, exact: true })
  const dialog = () => page().getByRole('dialog')
  /** Responds to the next question; resolves with its kind. */
  const respond = async (isAccepted: boolean) => {
    const question = await page().waitForEvent('dialog')
    await (isAccepted ? question.accept() : question.dismiss())
    return question.type()
  }
  return { control, page, button, dialog, respond }
}
