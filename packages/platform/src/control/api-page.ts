/** Script of the page that reads `/openapi.json`. Texts go into nodes, never into markup. */
const script = `
const el = (name, props = {}, ...children) => {
  const node = Object.assign(document.createElement(name), props)
  node.append(...children)
  return node
}
const resolve = (spec, schema) => {
  const ref = schema?.$ref
  return ref ? ref.slice(2).split('/').reduce((at, part) => at?.[part], spec) : schema
}
const sample = (spec, given, depth = 0) => {
  const schema = resolve(spec, given) ?? {}
  if (depth > 4) return null
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const one = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0]
  if (one) return sample(spec, one, depth + 1)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || schema.properties) {
    const required = schema.required ?? []
    return Object.fromEntries(Object.entries(schema.properties ?? {})
      .filter(([name]) => required.includes(name) || depth === 0)
      .map(([name, part]) => [name, sample(spec, part, depth + 1)]))
  }
  if (type === 'array') return []
  return { string: '', number: 0, integer: 0, boolean: false }[type] ?? null
}
const key = el('input', { placeholder: 'x-service-key', size: 36, value: localStorage.getItem('x-service-key') ?? '' })
key.addEventListener('change', () => localStorage.setItem('x-service-key', key.value))
document.querySelector('header').append(key)
const tryIt = (spec, method, path, operation) => {
  const fields = (operation.parameters ?? []).filter((one) => one.in !== 'header').map((one) => {
    const input = el('input', { size: 30, placeholder: one.required ? 'required' : '' })
    if (one.name.toLowerCase().replace('_', '') === 'projectkey') input.value = key.value
    return { one, input }
  })
  const [media, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const value = content ? sample(spec, content.schema) : undefined
  const isForm = media === 'application/x-www-form-urlencoded'
  const body = content && el('textarea', {
    rows: 8,
    value: isForm ? new URLSearchParams(value).toString() : JSON.stringify(value, null, 2),
  })
  const output = el('pre')
  const send = async () => {
    let address = path
    const query = new URLSearchParams()
    for (const { one, input } of fields) {
      if (one.in === 'path') address = address.replace('{' + one.name + '}', encodeURIComponent(input.value))
      else if (input.value !== '') query.set(one.name, input.value)
    }
    const headers = { accept: 'application/json' }
    if (key.value) headers['x-service-key'] = key.value
    if (body) headers['content-type'] = media
    try {
      const response = await fetch(address + (query.size ? '?' + query : ''), {
        method, headers, credentials: 'include', body: body?.value,
      })
      const text = await response.text()
      let shown = text
      try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
      output.textContent = response.status + ' ' + response.statusText + '\\n' + shown
    } catch (error) {
      output.textContent = String(error)
    }
  }
  return el('form', { onsubmit: (event) => { event.preventDefault(); void send() } },
    ...fields.map(({ one, input }) => el('label', {}, one.name + ' ', input)),
    ...(body ? [body] : []),
    el('button', { textContent: 'Send' }), output)
}
const spec = await (await fetch('/openapi.json')).json()
document.querySelector('h1').textContent = spec.info.title
const main = document.querySelector('main')
main.replaceChildren()
for (const [path, methods] of Object.entries(spec.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const details = el('details', { id: operation.operationId },
      el('summary', {}, el('b', { textContent: method.toUpperCase() }), ' ' + path + ' ',
        el('small', { textContent: operation.summary ?? '' })))
    details.addEventListener('toggle', () => {
      if (details.childElementCount > 1) return
      details.append(
        el('p', { textContent: operation.description ?? '' }),
        el('ul', {}, ...Object.entries(operation.responses).map(([status, answer]) =>
          el('li', { textContent: status + ' ' + (resolve(spec, answer).description ?? '') }))),
        tryIt(spec, method.toUpperCase(), path, operation))
    })
    main.append(details)
  }
}
`

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color-scheme: light dark; }
header { display: flex; gap: 1rem; align-items: baseline; flex-wrap: wrap; }
h1 { font-size: 1.3rem; }
summary { cursor: pointer; padding: .25rem 0; }
summary b { display: inline-block; min-width: 3.5rem; }
label { display: block; }
textarea { width: 100%; font: 13px/1.4 monospace; }
pre { overflow: auto; max-height: 24rem; }
`

/** A page that reads the OpenAPI document and sends requests; it loads nothing from elsewhere. */
export function apiPage(nonce: string): Response {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Interface</title>
<style nonce="${nonce}">${style}</style>
<header><h1>Interface</h1><a href="/openapi.json">openapi.json</a></header>
<main>The document is being read.</main>
<script type="module" nonce="${nonce}">${script}</script>
</html>
`
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  })
}
