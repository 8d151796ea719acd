// Script of the HTML report: filters the findings by rule, language and search text.

/** @type {NodeListOf<HTMLElement>} */
const rows = document.querySelectorAll('.findings tbody tr')
/** @type {NodeListOf<HTMLElement>} */
const ruleButtons = document.querySelectorAll('.filters button')
/** @type {NodeListOf<HTMLElement>} */
const languageButtons = document.querySelectorAll('.quality button')
const search = document.querySelector('input')
const none = document.getElementById('none')

/** Language of the findings to show; empty for all of them. */
let language = ''

/** @param {HTMLElement} row */
function matches(row) {
  const pressed = [...ruleButtons].filter(({ ariaPressed }) => ariaPressed === 'true')
  const isOfRule =
    pressed.length === 0 || pressed.some(({ dataset }) => dataset.rule === row.dataset.rule)
  const isOfLanguage = language === '' || row.dataset.language === language
  const text = search?.value.toLowerCase() ?? ''
  return isOfRule && isOfLanguage && row.textContent.toLowerCase().includes(text)
}

function show() {
  for (const row of rows) row.hidden = !matches(row)
  if (none) none.hidden = [...rows].some(({ hidden }) => !hidden)
}

search?.addEventListener('input', () => {
  language = ''
  show()
})

for (const button of ruleButtons) {
  button.addEventListener('click', () => {
    language = ''
    button.ariaPressed = String(button.ariaPressed !== 'true')
    show()
  })
}

for (const button of languageButtons) {
  button.addEventListener('click', () => {
    language = button.dataset.language ?? ''
    if (search) search.value = ''
    for (const other of ruleButtons) {
      other.ariaPressed = String(other.dataset.rule === button.dataset.rule)
    }
    show()
    search?.scrollIntoView()
  })
}
