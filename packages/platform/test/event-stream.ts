/** Reads a stream of server-sent events, one at a time. */
export function eventsOf(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    next: async (): Promise<string | undefined> => {
      while (!text.includes('\n\n')) {
        const { done, value } = await reader.read()
        if (done) return undefined
        text += value
      }
      const [first, ...rest] = text.split('\n\n')
      text = rest.join('\n\n')
      return first
    },
    cancel: () => reader.cancel(),
  }
}
