/** Text of a file, which Vite imports. */
declare module '*?raw' {
  const text: string
  export default text
}
