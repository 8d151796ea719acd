/** Styles of the HTML report, for light and dark mode. */
export const style = `
:root{--ground:#f6f7f9;--paper:#fff;--ink:#1c2330;--soft:#5d6778;--line:#dfe3ea;--accent:#2f5fd0;
--c0:#f7d4d0;--c1:#f9dcc0;--c2:#f9ecc2;--c3:#e4efc4;--c4:#c5e6c3;--c5:#8fd19e;--on:#1c2330;--error:#b3261e;--warning:#8a5a00;--info:#2f5fd0}
@media (prefers-color-scheme:dark){:root{--ground:#12151b;--paper:#1b2029;--ink:#e7eaf0;--soft:#9aa5b8;--line:#2c3442;--accent:#8fb0ff;
--c0:#5a2522;--c1:#5c3a1f;--c2:#57491d;--c3:#43511f;--c4:#2b5432;--c5:#1f6b3f;--on:#f1f4f8;--error:#ff9a92;--warning:#f0bf6a;--info:#8fb0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main{max-width:1280px;margin:0 auto;padding:0 24px}
header{display:flex;flex-wrap:wrap;align-items:center;gap:8px 16px;padding-top:32px}
h1{font-size:26px;margin:0;letter-spacing:-.01em}
h2{font-size:18px;margin:0 0 8px}
.verdict{margin:0;padding:2px 12px;border-radius:99px;font-weight:600;font-size:13px;border:1px solid currentColor}
.good{color:#1b7a3d}.bad{color:var(--error)}
@media (prefers-color-scheme:dark){.good{color:#7fd79c}}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:12px;margin:24px 0}
.card{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:12px 16px}
.card dt{color:var(--soft);font-size:13px}.card dd{margin:0;font-size:24px;font-weight:650;font-variant-numeric:tabular-nums}
.card.error dd{color:var(--error)}.card.warning dd{color:var(--warning)}
section{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:20px;margin:0 0 24px}
.legend{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;color:var(--soft);font-size:13px;margin:0 0 12px}
.scale{display:inline-flex}.scale i{width:22px;height:10px}
.scroll{overflow-x:auto}
table{border-collapse:separate;border-spacing:0}
.map{border-spacing:3px;font-variant-numeric:tabular-nums}
.map thead th{vertical-align:bottom;padding:0;font-weight:500;height:124px}
.map thead div{writing-mode:vertical-rl;transform:rotate(180deg);max-height:120px;white-space:nowrap;display:flex;gap:8px;margin:0 auto;text-align:left}
.map thead span{overflow:hidden;text-overflow:ellipsis}
.map small{color:var(--soft)}
.map tbody th{text-align:right;font-weight:500;padding:0 10px 0 0;white-space:nowrap;position:sticky;left:0;background:var(--paper)}
.map td{min-width:44px;height:32px;text-align:center;border-radius:6px;color:var(--on);font-size:13px;padding:0 4px}
.map td:first-of-type{font-weight:700}
.map td:hover{outline:2px solid var(--accent)}
.c0{background:var(--c0)}.c1{background:var(--c1)}.c2{background:var(--c2)}.c3{background:var(--c3)}.c4{background:var(--c4)}.c5{background:var(--c5)}
.none{color:var(--soft)!important}
.quality{font-size:13.5px;font-variant-numeric:tabular-nums}.quality th,.quality td{padding:5px 14px 5px 0;text-align:right;white-space:nowrap}
.quality thead th{color:var(--soft);font-weight:500}.quality tbody th{text-align:left;font-weight:500}.quality button{padding:1px 10px}
.filters{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 12px}
input,button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--line);border-radius:8px;padding:5px 12px}
input{flex:1 1 220px}button{cursor:pointer;font-size:13px}button b{font-weight:650;margin-left:4px}
button[aria-pressed=true]{background:var(--accent);border-color:var(--accent);color:var(--paper)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
.findings{width:100%;font-size:13.5px}
.findings th{text-align:left;color:var(--soft);font-weight:500;font-size:12.5px;position:sticky;top:0;background:var(--paper)}
.findings th,.findings td{padding:7px 12px 7px 0;border-bottom:1px solid var(--line);vertical-align:top}
.findings tr:last-child td{border-bottom:0}
.findings td:nth-child(-n+5){white-space:nowrap}
.findings td:nth-child(6){min-width:240px;overflow-wrap:anywhere}
.key,.location{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12.5px}
.key{max-width:260px;overflow:hidden;text-overflow:ellipsis}
.location{overflow-wrap:anywhere;min-width:160px;color:var(--soft)}
.tag{font-size:12px;font-weight:600}
.tag.error{color:var(--error)}.tag.warning{color:var(--warning)}.tag.info{color:var(--info)}
.empty{color:var(--soft)}
`

/** Script of the HTML report: filters the findings by rule and by search text. */
export const script = `
const rows=[...document.querySelectorAll('.findings tbody tr')],search=document.querySelector('input'),none=document.getElementById('none')
const buttons=[...document.querySelectorAll('[data-rule][aria-pressed]')]
let language=''
const show=()=>{const text=search.value.toLowerCase(),rules=buttons.filter(b=>b.ariaPressed==='true').map(b=>b.dataset.rule);let seen=0
for(const row of rows){const fits=(!rules.length||rules.includes(row.dataset.rule))&&(!language||language===row.dataset.language)&&(!text||row.textContent.toLowerCase().includes(text));row.hidden=!fits;if(fits)seen++}
none.hidden=seen>0}
search?.addEventListener('input',()=>{language='';show()})
for(const button of buttons)button.addEventListener('click',()=>{language='';button.ariaPressed=button.ariaPressed==='true'?'false':'true';show()})
for(const button of document.querySelectorAll('.quality button'))button.addEventListener('click',()=>{language=button.dataset.language;search.value=''
for(const one of buttons)one.ariaPressed=String(one.dataset.rule===button.dataset.rule);show();search.scrollIntoView()})
`
