// Saves edits of one key. Values of fields are never inserted as markup.
const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const fields = [...form.querySelectorAll('textarea')]
const changedFields = () => fields.filter((field) => field.value !== field.defaultValue)

function showStatus(text, isError = false) {
  status.textContent = text
  status.classList.toggle('error', isError)
}

async function save() {
  const changed = changedFields()
  if (changed.length === 0) return showStatus('Nothing has changed.')
  showStatus('Saving …')
  const edits = changed.map(({ lang, name, value }) => ({
    language: lang,
    module: form.dataset.module,
    key: name,
    value,
  }))
  try {
    const response = await fetch(form.dataset.url, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(edits),
    })
    if (!response.ok) throw new Error((await response.json()).title ?? response.statusText)
    for (const field of changed) {
      field.defaultValue = field.value
      field.classList.toggle('missing', field.value === '')
    }
    showStatus('Saved. Open pages show it now.')
  } catch (error) {
    showStatus(`Not saved: ${error.message}`, true)
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void save()
})
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    void save()
  }
})
form.addEventListener('input', () => {
  showStatus(changedFields().length > 0 ? 'Not saved yet.' : '')
})
addEventListener('beforeunload', (event) => {
  if (changedFields().length > 0) event.preventDefault()
})
