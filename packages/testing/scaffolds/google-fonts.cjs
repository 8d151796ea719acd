// Style sheets of the fonts that `create-next-app` selects, for a build without a network.
const sheetOf = (/** @type {string} */ family) =>
  `@font-face { font-family: '${family}'; font-style: normal; font-weight: 100 900; font-display: swap; src: local('${family}'); }`

module.exports = {
  'https://fonts.googleapis.com/css2?family=Geist:wght@100..900&display=swap': sheetOf('Geist'),
  'https://fonts.googleapis.com/css2?family=Geist+Mono:wght@100..900&display=swap':
    sheetOf('Geist Mono'),
}
